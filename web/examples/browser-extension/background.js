// The service worker. It can start no worker, so it asks the offscreen document for each call.

chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });

let opening = null;

async function openOffscreen() {
  if (!(await chrome.offscreen.hasDocument())) {
    await chrome.offscreen.createDocument({
      url: "offscreen.html",
      reasons: ["WORKERS"],
      justification: "The tools run in a worker.",
    });
  }
}

async function callOffscreen({ name, args }) {
  opening ??= openOffscreen().finally(() => {
    opening = null;
  });
  await opening;
  return await chrome.runtime.sendMessage({ to: "offscreen", name, args });
}

chrome.runtime.onMessage.addListener((message, _sender, answer) => {
  if (message.to !== "background") {
    return false;
  }
  callOffscreen(message).then(answer, (error) => answer(error.message));
  // The answer comes later.
  return true;
});
