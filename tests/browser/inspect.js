// SPDX-License-Identifier: MIT OR Apache-2.0
// Says what is wrong with the layout of this page: a list of sentences. `paper` is null on a screen, or the height of a sheet in px;
// `dark` is whether the reader wants dark pages.
((paper, dark) => {
  const wrong = [];
  const wide = document.documentElement.clientWidth;
  const named = (element) => `<${element.tagName.toLowerCase()}> "${element.textContent.trim().slice(0, 40)}"`;
  if (document.documentElement.scrollWidth > wide) {
    wrong.push(`the page is ${document.documentElement.scrollWidth} px wide, there are ${wide}`);
  }
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
  const inScroller = (element) => {
    for (let above = element.parentElement; above; above = above.parentElement) if (scrolls(above)) return true;
    return false;
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("svg") && element.tagName !== "svg") continue;
    const style = getComputedStyle(element);
    if (style.display === "none") continue;
    const place = element.getBoundingClientRect();
    const reachable = paper === null && inScroller(element);
    if (!reachable && (place.right > wide + 1 || place.left < -1)) {
      wrong.push(`${named(element)} goes from ${place.left} to ${place.right} px, there are ${wide}`);
    }
    const content = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    const mayScroll = paper === null && scrolls(element);
    if (content && !mayScroll && !reachable && style.display !== "inline" && element.tagName !== "svg") {
      wrong.push(`${named(element)} is ${element.clientWidth} px wide, what is in it ${element.scrollWidth}`);
    }
  }
  for (const picture of document.querySelectorAll("svg")) {
    const box = picture.viewBox.baseVal;
    const texts = [...picture.querySelectorAll("text")].map((text) => [text.textContent.trim(), text.getBBox()]);
    for (const [text, at] of texts) {
      const inside = at.x >= box.x - 1 && at.y >= box.y - 1 && at.x + at.width <= box.x + box.width + 1 && at.y + at.height <= box.y + box.height + 1;
      if (!inside) wrong.push(`"${text}" is outside of its picture "${picture.getAttribute("aria-label")}"`);
    }
    for (const [number, [text, at]] of texts.entries()) {
      for (const [other, there] of texts.slice(number + 1)) {
        const across = Math.min(at.x + at.width, there.x + there.width) - Math.max(at.x, there.x);
        const down = Math.min(at.y + at.height, there.y + there.height) - Math.max(at.y, there.y);
        if (across > 2 && down > 0.35 * Math.min(at.height, there.height)) {
          wrong.push(`"${text}" and "${other}" overlap in "${picture.getAttribute("aria-label")}"`);
        }
      }
    }
  }
  const light = (colour) => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, channel) => sum + Number(channel), 0) / 3;
  const papers = [["the page", getComputedStyle(document.body).backgroundColor]];
  for (const picture of document.querySelectorAll("figure svg")) {
    papers.push([`the picture "${picture.getAttribute("aria-label")}"`, getComputedStyle(picture.querySelector("rect")).color]);
  }
  for (const [what, colour] of papers) {
    if (light(colour) < 100 !== dark) wrong.push(`${what} is ${colour}, and the reader wants it ${dark ? "dark" : "light"}`);
  }
  const first = document.querySelector("header");
  if (paper !== null && document.querySelector("hr.page") && first.getBoundingClientRect().height > paper) {
    wrong.push(`the first page is ${first.getBoundingClientRect().height} px high, a sheet ${paper}`);
  }
  return wrong;
})
