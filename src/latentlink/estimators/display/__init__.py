"""How fitted models are displayed: methods that need the report, which is a layer above the estimators."""
