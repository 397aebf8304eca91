"""A headless Chromium of the system, driven by Selenium; nothing is downloaded."""

from __future__ import annotations

import json
import shutil

import pytest

from latentlink.report import write_report

NAMES = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parent.name:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


class Browser:
    """A page in Chromium, with what it logged and what it requested since it was opened."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, address, width=1400, theme="light", media="screen"):
        """Open a page at a width, in a preferred theme, and wait until its charts are drawn."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.command("Emulation.setEmulatedMedia", media=media, features=features)
        self.driver.get("about:blank")
        self.logged(), self.requested()
        self.driver.get(str(address))
        self.wait("document.querySelectorAll('.chart:not([data-drawn])').length === 0 && byId('links-count')")

    def command(self, name, **options):
        return self.driver.execute_cdp_cmd(name, options)

    def run(self, code, *values):
        """Return the value of an expression, or of a function body that has a return."""
        return self.driver.execute_script(code if "return" in code else f"return {code}", *values)

    def wait(self, condition, seconds=20):
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, seconds, 0.05).until(lambda _: self.run(f"!!({condition})"))

    def click(self, selector):
        self.driver.find_element("css selector", selector).click()

    def type(self, selector, text):
        element = self.driver.find_element("css selector", selector)
        element.clear()
        element.send_keys(text)

    def texts(self, selector):
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)", selector
        )

    def logged(self):
        """Return the messages of the console since the last call, violations of the policy among them."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requested(self):
        """Return the addresses that were requested since the last call."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [
            each["params"]["request"]["url"]
            for each in messages
            if each["method"] == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def browser():
    program = next(filter(None, map(shutil.which, NAMES)), None)
    driver_program = shutil.which("chromedriver")
    if program is None or driver_program is None:
        pytest.skip(
            "no browser: chromium and chromedriver are not installed (make test-browser installs them)"
        )
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(driver_program)
    driver = webdriver.Chrome(options=options, service=service)
    yield Browser(driver)
    driver.quit()


@pytest.fixture(scope="session")
def page(reported, tmp_path_factory):
    """The address of the report on disk."""
    return write_report(reported.data, tmp_path_factory.mktemp("page") / "report.html").as_uri()
