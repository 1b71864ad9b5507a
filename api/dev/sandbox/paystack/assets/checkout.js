/**
 * The hosted checkout of the sandbox: served in a frame of the merchant's page (path "popup"),
 * where it speaks the provider's message protocol, or on its own under an access code.
 */
const BASE = new URL("./", location.href);
const FRAMED = location.pathname.endsWith("/popup");
const POLL_PAUSE_MS = 1500;
const CLOSE_FADE_MS = 500; // the library says "close" 300 ms late, when its fade has ended

const STEPS = {
  pin: { heading: "Card PIN", label: "PIN", secret: true },
  otp: { heading: "One-time password", label: "OTP", secret: false },
  phone: { heading: "Phone number", label: "Phone number", secret: false },
  "3DS": { heading: "Demo Bank", label: "", secret: false },
};

const find = (id) => document.getElementById(id);
const VIEWS = ["view-loading", "ways", "view-step", "view-paid", "view-pending", "view-error"];

let transaction = null;
let openedWith = null;
let openings = 0;
let openedAt = -CLOSE_FADE_MS;
let parentOrigin = "*";
let step = null;
let filledCard = null;
let testCards = [];
let pollTimer = null;

/* ---- the frame's messages ---- */

function tellParent(event, data) {
  if (FRAMED && parent !== window) {
    parent.postMessage({ event, data }, parentOrigin);
  }
}

function onMessage(message) {
  if (message.source !== parent) {
    return;
  }
  parentOrigin = message.origin === "null" ? "*" : message.origin;
  if (message.data === "close") {
    onClosed();
  } else if (message.data === "render") {
    find("heading").scrollIntoView();
  } else if (message.data?.type === "inline:url" && message.data.params) {
    openFromParent(message.data.params);
  }
}

/** A "close" right after an opening belongs to the transaction before it. */
function onClosed() {
  if (performance.now() - openedAt < CLOSE_FADE_MS) {
    openedWith = null;
  } else {
    reset();
  }
}

/** The library sends the same parameters again once the frame has loaded: once is enough. */
function openFromParent(params) {
  const key = params.accessCode ?? params.ref ?? JSON.stringify(params);
  if (key === openedWith) {
    return;
  }
  reset();
  openedWith = key;
  openedAt = performance.now();
  if (params.accessCode) {
    open(() => get(`transaction/verify_access_code/${encodeURIComponent(params.accessCode)}`));
  } else {
    open(() => post("checkout/request_inline", params));
  }
}

/* ---- asking the provider ---- */

async function call(path, options = {}) {
  const answer = await fetch(new URL(path, BASE), { credentials: "omit", ...options });
  const content = await answer.json();
  if (!answer.ok || content.status === false) {
    throw new Error(content.message ?? "Error occurred");
  }
  return content;
}

const get = (path) => call(path);

const authorised = () => (transaction ? { Authorization: `Bearer ${transaction.merchant_key}` } : {});

const post = (path, content = {}, method = "POST") =>
  call(path, {
    method,
    headers: { "Content-Type": "application/json", ...authorised() },
    body: JSON.stringify(content),
  });

const postForm = (path, fields) =>
  call(path, { method: "POST", body: new URLSearchParams({ trans: transaction.id, ...fields }) });

/* ---- faces ---- */

function show(view) {
  for (const id of VIEWS) {
    find(id).hidden = id !== view;
  }
  find("sheet").setAttribute("aria-busy", String(view === "view-loading"));
  complain("");
}

function complain(sentence) {
  find("alert").textContent = sentence;
  find("alert").hidden = sentence === "";
}

function announce(sentence) {
  find("status").textContent = sentence;
}

function naira(kobo) {
  return new Intl.NumberFormat("en", {
    style: "currency",
    currency: transaction.currency,
    currencyDisplay: "code",
  }).format(kobo / 100);
}

function reset() {
  clearTimeout(pollTimer);
  openings += 1;
  transaction = null;
  openedWith = null;
  step = null;
  filledCard = null;
  find("card-form").reset();
  find("transfer-begin").hidden = false;
  find("transfer-account").hidden = true;
  find("amount").textContent = "";
  find("email").textContent = "";
  show("view-loading");
}

async function open(load) {
  const opening = openings;
  try {
    const content = await load();
    if (opening !== openings) {
      return;
    }
    transaction = content.data;
  } catch (failure) {
    if (opening === openings) {
      fail(failure.message);
    }
    return;
  }
  showBill();
  post(`transaction/set_ip/${transaction.id}`).catch(() => undefined);
  tellParent("loaded:transaction", {
    id: transaction.id,
    customer: transaction.customer,
    accessCode: transaction.access_code,
  });
}

function showBill() {
  find("heading").textContent = transaction.merchant_name;
  find("email").textContent = transaction.email;
  find("amount").textContent = naira(transaction.amount);
  find("pay").textContent = `Pay ${naira(transaction.amount)}`;
  if (transaction.transaction_status === "success") {
    paid(outcomeOf(transaction));
    return;
  }
  find("tab-card").hidden = !transaction.channels.includes("card");
  find("tab-transfer").hidden = !transaction.channels.includes("bank_transfer");
  show("ways");
  choose(find("tab-card").hidden ? "transfer" : "card");
  (find("tab-card").hidden ? find("get-account") : find("card-number")).focus();
  announce(`Pay ${naira(transaction.amount)} to ${transaction.merchant_name}`);
}

const outcomeOf = (view) => ({
  reference: view.reference,
  trans: view.id,
  transaction: view.id,
  trxref: view.reference,
  status: "success",
  message: "Approved",
  redirecturl: view.redirect_url,
});

function fail(sentence) {
  show("view-error");
  find("error-text").textContent = sentence;
  find("error-heading").focus();
  tellParent("error", { type: "setup", message: sentence });
}

function paid(outcome) {
  clearTimeout(pollTimer);
  show("view-paid");
  find("paid-heading").focus();
  announce("Payment successful");
  if (FRAMED) {
    tellParent("success", outcome);
  } else if (outcome.redirecturl) {
    find("paid-next").textContent = "Taking you back…";
    setTimeout(() => location.assign(outcome.redirecturl), 900);
  }
}

/* ---- choosing how ---- */

function choose(way) {
  for (const name of ["card", "transfer"]) {
    const chosen = name === way;
    find(`tab-${name}`).setAttribute("aria-selected", String(chosen));
    find(`tab-${name}`).tabIndex = chosen ? 0 : -1;
    find(`view-${name}`).hidden = !chosen;
  }
  complain("");
}

function onTabKey(event) {
  if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
    return;
  }
  event.preventDefault();
  const other = event.currentTarget.id === "tab-card" ? "transfer" : "card";
  if (!find(`tab-${other}`).hidden) {
    choose(other);
    find(`tab-${other}`).focus();
  }
}

/* ---- cards ---- */

async function listTestCards() {
  try {
    testCards = (await get("_sandbox/cards")).data;
  } catch {
    return;
  }
  find("test-cards").replaceChildren(...testCards.map(cardButton));
}

function cardButton(card) {
  const button = document.createElement("button");
  button.type = "button";
  const number = document.createElement("span");
  number.className = "figures";
  number.textContent = grouped(card.number);
  button.append(document.createTextNode(card.title), number);
  button.addEventListener("click", () => fill(card));
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function fill(card) {
  find("card-number").value = grouped(card.number);
  find("card-expiry").value = "12/30";
  find("card-cvv").value = card.cvv;
  complain("");
  announce(`${card.title}: card filled in`);
  find("pay").focus();
}

const digits = (text) => text.replace(/\D/g, "");
const grouped = (text) => digits(text).replace(/(.{4})(?=.)/g, "$1 ");

function onExpiryInput(event) {
  const figures = digits(event.target.value).slice(0, 4);
  const typedOn = event.inputType !== "deleteContentBackward";
  event.target.value =
    figures.length > 2 || (figures.length === 2 && typedOn)
      ? `${figures.slice(0, 2)}/${figures.slice(2)}`
      : figures;
}

async function payByCard(event) {
  event.preventDefault();
  const number = digits(find("card-number").value);
  const cvv = digits(find("card-cvv").value);
  const [month = "", year = ""] = find("card-expiry").value.split("/");
  const wrong = [
    [find("card-number"), number.length < 12, "Enter the card number"],
    [find("card-expiry"), !month || !year, "Enter the expiry date as MM/YY"],
    [find("card-cvv"), cvv.length < 3, "Enter the CVV"],
  ].filter(([input, isWrong]) => {
    input.setAttribute("aria-invalid", String(isWrong));
    return isWrong;
  });
  if (wrong.length > 0) {
    complain(wrong[0][2]);
    wrong[0][0].focus();
    return;
  }
  filledCard = testCards.find((card) => card.number === number) ?? null;
  const clientdata = [number, cvv, month, year].join("*");
  await submit(find("pay"), () =>
    postForm("charge/", { clientdata, last4: number.slice(-4), device: "browser" }),
  );
}

async function submit(button, ask) {
  const opening = openings;
  button.disabled = true;
  complain("");
  try {
    const outcome = await ask();
    if (opening === openings) {
      react(outcome);
    }
  } catch (failure) {
    if (opening === openings) {
      complain(failure.message);
    }
  } finally {
    button.disabled = false;
  }
}

function react(outcome) {
  if (outcome.status === "success") {
    paid(outcome.data ?? outcome);
  } else if (outcome.auth && outcome.auth !== "none") {
    askFor(outcome.auth, outcome.otpmessage);
  } else if (outcome.status !== "pending") {
    show("ways");
    complain(outcome.message);
    find("card-number").focus();
  }
}

/* ---- what the card asks for ---- */

function askFor(kind, sentence) {
  step = kind;
  const face = STEPS[kind];
  const atBank = kind === "3DS";
  show("view-step");
  find("step-heading").textContent = face.heading;
  find("step-label").textContent = face.label;
  find("step-hint").textContent = [sentence, testAnswer(kind)].filter(Boolean).join(". ");
  find("step-field").hidden = atBank;
  find("step-refuse").hidden = !atBank;
  find("step-submit").textContent = atBank ? "Authorise" : "Continue";
  find("step-answer").value = "";
  find("step-answer").type = face.secret ? "password" : "text";
  announce(sentence);
  (atBank ? find("step-submit") : find("step-answer")).focus();
}

function testAnswer(kind) {
  const answers = {
    pin: filledCard?.pin && `Test PIN: ${filledCard.pin}`,
    otp: filledCard?.otp && `Test OTP: ${filledCard.otp}`,
    phone: "Any phone number will do",
  };
  return answers[kind] ?? "";
}

function answerStep(event) {
  event.preventDefault();
  const answer = step === "3DS" ? "authorize" : find("step-answer").value.trim();
  if (answer === "") {
    complain(`Enter your ${STEPS[step].label}`);
    find("step-answer").focus();
    return;
  }
  sendStep(answer);
}

function sendStep(answer) {
  const asks = {
    pin: () => postForm("charge/", { handle: answer }),
    phone: () => postForm("charge/validate", { phone: digits(answer) }),
  };
  const ask = asks[step] ?? (() => postForm("charge/validate", { token: answer }));
  submit(find("step-submit"), ask);
}

/* ---- transfers ---- */

async function getAccount() {
  const opening = openings;
  try {
    const { data } = await post("checkout/pay_with_transfer", { transaction_id: transaction.id });
    if (opening !== openings) {
      return;
    }
    find("account-bank").textContent = data.bank.name;
    find("account-number").textContent = data.account_number;
    find("account-name").textContent = data.account_name;
    find("account-amount").textContent = naira(data.amount);
    find("transfer-begin").hidden = true;
    find("transfer-account").hidden = false;
    announce(`Transfer ${naira(data.amount)} to account ${data.account_number}`);
    find("transfer-sent").focus();
    poll();
  } catch (failure) {
    complain(failure.message);
  }
}

async function sayTransferSent() {
  try {
    await post(`transaction/${transaction.id}/transfer-sent`);
  } catch (failure) {
    complain(failure.message);
    return;
  }
  show("view-pending");
  find("pending-heading").focus();
  tellParent("transfer:pending", { status: "pending" });
}

const simulateTransfer = (event) =>
  submit(event.currentTarget, () => post(`_sandbox/transfer/${transaction.id}`));

/** Asks until the transfer arrives or another transaction takes the frame. */
function poll() {
  clearTimeout(pollTimer);
  const opening = openings;
  pollTimer = setTimeout(async () => {
    const outcome = await get(`charge/requery/${transaction.id}`).catch(() => ({ status: "pending" }));
    if (opening !== openings || !find("view-paid").hidden) {
      return;
    }
    if (outcome.status === "success") {
      paid(outcome.data);
    } else {
      poll();
    }
  }, POLL_PAUSE_MS);
}

/* ---- leaving ---- */

async function cancel() {
  if (transaction && find("view-paid").hidden) {
    await post(`transaction/${transaction.id}/mark-as-abandoned`, {}, "PATCH").catch(() => undefined);
  }
  if (FRAMED) {
    tellParent("close", { status: transaction?.transaction_status ?? null });
  } else if (transaction?.redirect_url) {
    location.assign(transaction.redirect_url);
  } else {
    show("view-error");
    find("error-heading").textContent = "Payment cancelled";
    find("error-text").textContent = "You can close this page.";
  }
}

/* ---- start ---- */

find("tab-card").addEventListener("click", () => choose("card"));
find("tab-transfer").addEventListener("click", () => choose("transfer"));
find("tab-card").addEventListener("keydown", onTabKey);
find("tab-transfer").addEventListener("keydown", onTabKey);
find("card-number").addEventListener("input", (event) => {
  event.target.value = grouped(event.target.value);
});
find("card-expiry").addEventListener("input", onExpiryInput);
find("card-form").addEventListener("submit", payByCard);
find("step-form").addEventListener("submit", answerStep);
find("step-refuse").addEventListener("click", () => sendStep("refuse"));
find("get-account").addEventListener("click", getAccount);
find("transfer-sent").addEventListener("click", sayTransferSent);
find("transfer-received").addEventListener("click", simulateTransfer);
find("pending-received").addEventListener("click", simulateTransfer);
find("cancel").addEventListener("click", cancel);
addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    cancel();
  }
});

document.documentElement.classList.toggle("framed", FRAMED);
listTestCards();
if (FRAMED) {
  addEventListener("message", onMessage);
  tellParent("loaded:checkout");
} else {
  const accessCode = BASE.href === location.href ? "" : location.pathname.split("/").pop();
  open(() => get(`transaction/verify_access_code/${accessCode}`));
}
