// placeholder
import { h } from "./base.js";

export function ndrangeView(root, data) {
  root.append(h("p", {}, "ndrange"));
  return { update() {}, destroy() {} };
}
