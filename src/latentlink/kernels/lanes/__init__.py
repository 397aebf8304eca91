"""Members as SIMD lanes: compilation, the vector type and its transcendental functions."""
