"""The picture of a report page in the README: python docs/screenshot.py; needs chromium and selenium."""

from __future__ import annotations

import base64
import io
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from selenium import webdriver

from latentlink import WNMFk, datasets
from latentlink.splitting import holdout

TARGET = Path(__file__).parent / "_static" / "report.png"
WIDTH, HEIGHT = 1180, 1290


def page() -> str:
    """Return the report of a model of a network with four groups."""
    whole = datasets.planted_blocks(120, 4, probabilities=(0.75, 0.06)).network
    known = holdout(whole, 0.5, rng=1).train
    split = holdout(known.subset(known.known), 0.2, rng=0)
    model = WNMFk(range(1, 8), n_perturbs=8, random_state=0).fit(split.train)
    return model.report(calibrated=model.calibrate(split.test)).html()


def photographed(html: str) -> bytes:
    """Return the top of a page as PNG."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(html, encoding="utf-8")
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(path.as_uri())
        time.sleep(2)
        taken = driver.execute_cdp_cmd("Page.captureScreenshot", {})["data"]
    driver.quit()
    return base64.b64decode(taken)


if __name__ == "__main__":
    picture = Image.open(io.BytesIO(photographed(page()))).convert("RGB")
    picture.quantize(128, dither=Image.Dither.NONE).save(TARGET, optimize=True)
