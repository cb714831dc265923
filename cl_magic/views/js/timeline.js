// placeholder
import { h } from "./base.js";

export function timelineView(root, data) {
  root.append(h("p", {}, "timeline"));
  return { update() {}, destroy() {} };
}
