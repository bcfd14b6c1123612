// Runs in the measured page before anything else, and takes the times that only the page knows.
// Nothing here knows how the page is made: it looks at what is drawn.
(() => {
  const painted = (then) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => then(performance.now());
      channel.port2.postMessage(null);
    });

  const probe = { firstCards: null, keys: [], latencies: [], longTasks: [] };
  window.probe = probe;

  // First cards: three of them, with all of their text.
  const isDrawn = (card) => card.textContent.length > 60 && card.ariaBusy !== "true";
  const watch = new MutationObserver(() => {
    const cards = [...document.querySelectorAll("article[aria-label^='Step ']")];
    if (probe.firstCards !== null || cards.filter(isDrawn).length < 3) return;
    probe.firstCards = 0;
    painted((now) => (probe.firstCards = now));
  });
  watch.observe(document, { subtree: true, childList: true });

  // From here on, first cards are those that come after a press on something.
  probe.listenToPress = () => {
    probe.firstCards = null;
    const note = ({ timeStamp }) => (probe.pressed = timeStamp);
    document.addEventListener("pointerdown", note, { capture: true, once: true });
  };

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      probe.longTasks.push([startTime, duration]);
  }).observe({ type: "longtask", buffered: true });

  // Typing: from the key to the painted letter.
  probe.listenToKeys = () => {
    probe.keys.length = 0;
    document.addEventListener(
      "keydown",
      ({ timeStamp }) => painted((now) => probe.keys.push(now - timeStamp)),
      true,
    );
  };

  // Streamed tokens carry the moment at which they were written, in milliseconds of the clock.
  probe.listenToTokens = () => {
    const seen = new Set();
    const read = () => {
      const text = document.querySelector("[aria-label='Being written']")?.textContent ?? "";
      const fresh = [...text.matchAll(/\[(\d{13})\]/g)].map(([, at]) => at);
      const unseen = fresh.filter((at) => !seen.has(at));
      for (const at of unseen) seen.add(at);
      if (unseen.length === 0) return;
      painted((now) => {
        const clock = performance.timeOrigin + now;
        for (const at of unseen) probe.latencies.push(clock - Number(at));
      });
    };
    const options = { subtree: true, childList: true, characterData: true };
    new MutationObserver(read).observe(document.body, options);
  };

  const scroller = (selector) =>
    selector === "" ? document.scrollingElement : document.querySelector(selector);

  // Scroll by `pixels` a frame until the end, or for so many frames; tell how long each took.
  probe.scroll = (selector, pixels, most) =>
    new Promise((resolve) => {
      const element = scroller(selector);
      const frames = [];
      const middle = middleOf(element);
      const blank = [];
      let before = null;
      const next = (now) => {
        if (before !== null) frames.push(now - before);
        before = now;
        // To look makes the browser lay out the page once more: not at every frame.
        if (frames.length % 20 === 19) blank.push(Number(isBlank(element, middle)));
        const left = element.scrollHeight - element.clientHeight - element.scrollTop;
        if (left < 2 || frames.length >= most) return resolve({ frames, blank, left });
        element.scrollTop += pixels;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });

  const middleOf = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };

  // Nothing but the list's own ground in the middle of what is in sight.
  const isBlank = (element, [x, y]) => {
    const at = document.elementFromPoint(x, y);
    return at === null || at === element || at.parentElement === element;
  };

  probe.height = (selector) => scroller(selector).scrollHeight;
})();
