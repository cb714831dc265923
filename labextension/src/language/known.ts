/**
 * What is known without a kernel, and the table it is read from: loaded with the first completion or explanation, not with
 * JupyterLab. Nothing of this module is imported elsewhere but by its types.
 */

export * from './explaining.js';
export * from './offers.js';
