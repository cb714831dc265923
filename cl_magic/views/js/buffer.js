// placeholder
import { h } from "./base.js";

export function bufferView(root, data) {
  root.append(h("p", {}, "buffer"));
  return { update() {}, destroy() {} };
}
