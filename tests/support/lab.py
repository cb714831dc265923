"""A JupyterLab server and a headless browser for the tests in tests/ui."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
_READY = re.compile(r"http://127\.0\.0\.1:(\d+)/lab")
_IDLE = (
    "() => { const w = [...window.jupyterapp.shell.widgets('main')].find(w => w.sessionContext);"
    " return w && w.sessionContext.session?.kernel?.status === 'idle'; }"
)


def chromium() -> str:
    """Path of the browser; the tests in tests/ui need one."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        msg = "no chromium on PATH: `make test-ui` installs it"
        raise FileNotFoundError(msg)
    return found


@contextmanager
def lab_server(root: Path, home: Path) -> Iterator[str]:
    """Run JupyterLab on a free port of this machine; yields its address."""
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0"),
                *("--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"),
                *("--LabApp.extension_manager=readonly", f"--ServerApp.root_dir={root}"),
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=_environment(home),
            start_new_session=True,
        )
    try:
        yield _address(log, process)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def _environment(home: Path) -> dict[str, str]:
    names = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    environment = dict(os.environ) | {name: str(home / name.lower()) for name in names}
    environment |= {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "JUPYTERLAB_WORKSPACES_DIR": str(home / "ws")}
    # ipykernel forwards nothing that compilers and kernels print while this is set.
    environment.pop("PYTEST_CURRENT_TEST", None)
    return environment


def _address(log: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        found = _READY.search(log.read_text(errors="replace"))
        if found:
            return f"http://127.0.0.1:{found.group(1)}"
        time.sleep(0.1)
    msg = f"JupyterLab did not start:\n{log.read_text(errors='replace')[-3000:]}"
    raise RuntimeError(msg)


class LabPage:
    """One notebook open in JupyterLab."""

    def __init__(self, page: Any, address: str, name: str) -> None:
        self.page = page
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._heard)
        page.goto(f"{address}/lab/tree/{name}?reset")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        page.wait_for_function(_IDLE, timeout=60_000)

    def _heard(self, message: Any) -> None:
        """Keep what the console says of our code: an error of any kind, or a warning that names it."""
        ours = "cl-magic" in message.text or "cl_magic" in message.text
        if (message.type == "error" and "favicon" not in message.text) or (message.type == "warning" and ours):
            self.faults.append(f"{message.type}: {message.text}")

    def cell(self, index: int) -> Any:
        """The cell of that index, markdown cells counted."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index)

    def run(self, index: int, timeout: float = 60_000) -> Any:
        """Run a cell, wait for its end, return its output area."""
        cell = self.cell(index)
        cell.scroll_into_view_if_needed()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        prompt = cell.locator(".jp-InputPrompt").first
        deadline = time.monotonic() + timeout / 1000
        while not re.search(r"\[\d+\]", prompt.inner_text()):
            if time.monotonic() > deadline:
                msg = f"cell {index} did not end in {timeout / 1000:.0f} s"
                raise TimeoutError(msg)
            self.page.wait_for_timeout(50)
        return cell.locator(".jp-Cell-outputWrapper .jp-OutputArea-output").first

    def theme(self, name: str) -> None:
        """Switch to "JupyterLab Light" or "JupyterLab Dark"."""
        self.page.evaluate("name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})", name)
        light = "false" if "Dark" in name else "true"
        self.page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")
        self.page.wait_for_timeout(300)

    def save(self) -> None:
        """Save the notebook."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
        self.page.wait_for_timeout(500)
