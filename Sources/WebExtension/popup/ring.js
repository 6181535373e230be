// SPDX-License-Identifier: Apache-2.0
/** The ring beside a one-time code: how long the code is still the current one. */
import { say } from "./connection.js";

const space = "http://www.w3.org/2000/svg";
/** The usual period of a code, in milliseconds. */
const period = 30_000;
const radius = 7;

/** @param {string} expires an instant @param {() => void} onEnd called when the code has expired, where the ring is still shown @returns {Element} */
export function ring(expires, onEnd) {
  const end = Date.parse(expires);
  const whole = Math.max(period, end - Date.now());
  const around = 2 * Math.PI * radius;
  const drawing = document.createElementNS(space, "svg");
  for (const [name, value] of [["class", "ring"], ["viewBox", "0 0 18 18"], ["role", "img"]]) drawing.setAttribute(name, value);
  const [track, left] = ["track", "left"].map((name) => {
    const circle = document.createElementNS(space, "circle");
    for (const [attribute, value] of [["class", name], ["cx", "9"], ["cy", "9"], ["r", String(radius)], ["stroke-dasharray", String(around)]]) circle.setAttribute(attribute, value);
    return circle;
  });
  drawing.append(track, left);
  const draw = () => {
    const rest = Math.max(0, end - Date.now());
    left.setAttribute("stroke-dashoffset", String(around * (1 - rest / whole)));
    drawing.ariaLabel = say("secondsLeft", String(Math.ceil(rest / 1000)));
    return rest;
  };
  draw();
  const timer = setInterval(() => {
    if (!drawing.isConnected) return clearInterval(timer);
    if (draw() > 0) return;
    clearInterval(timer);
    onEnd();
  }, 250);
  return drawing;
}
