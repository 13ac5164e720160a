"""A browser as referee: pages before and after, compared as the trees that it makes of them."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
_SCRIPT = r"""
function bare(doc) {
  const nodes = [], walk = doc.createNodeIterator(doc, NodeFilter.SHOW_ALL);
  for (let node; (node = walk.nextNode());) nodes.push(node);
  const is = (text) => (node) => node.nodeType === 8 && node.data === text;
  const begin = nodes.findIndex(is(" lexurn:begin ")), end = nodes.findIndex(is(" lexurn:end "));
  const after = nodes[end].nextSibling, places = [];
  if (after && after.nodeType === 3) after.data = after.data.replace(/^\n/, "");
  for (const node of nodes.slice(begin, end + 1)) {
    if (node.nodeType === 1 && ["HTML", "HEAD"].includes(node.tagName)) continue;
    if (node.nodeType === 1) places.push(node.parentNode && node.parentNode.nodeName);
    node.remove();
  }
  for (const node of nodes) if (node.nodeType === 3 && !node.data) node.remove();
  doc.normalize();
  return places.every((place) => place === "HEAD" || place === null) && places.length > 0;
}
const parser = new DOMParser(), bad = [];
JSON.parse(document.getElementById("pairs").textContent).forEach(([before, after], at) => {
  const one = parser.parseFromString(before, "text/html");
  const other = parser.parseFromString(after, "text/html");
  one.normalize();
  if (!bare(other) || one.compatMode !== other.compatMode || !one.isEqualNode(other)) bad.push(at);
});
document.body.textContent = "answer " + JSON.stringify(bad) + " end";
"""


def disagreements(pairs: Sequence[tuple[str, str]], folder: Path) -> list[int]:
    """Which pages a browser reads otherwise after a name was put in, our block aside."""
    text = json.dumps(pairs).replace("<", "\\u003c")
    page = folder / "referee.html"
    page.write_text(
        '<!doctype html><meta charset="utf-8"><body>'
        f'<script type="application/json" id="pairs">{text}</script><script>{_SCRIPT}</script>',
        encoding="utf-8",
    )
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    run = subprocess.run(
        [*command, f"--user-data-dir={folder / 'profile'}", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    answer = re.search(r"answer (\[.*?\]) end", html.unescape(run.stdout))
    assert answer is not None, run.stdout[:1000]
    found: list[int] = json.loads(answer[1])
    return found
