// The views' module is plain JavaScript, shared with the widgets: cl_magic/views/js/index.js.

declare module '*/views/js/index.js' {
  export interface Payload {
    version: number;
    kind: string;
    record: string;
    head: Record<string, unknown>;
    columns: Record<string, unknown>;
  }
  export interface Handle {
    update(payload: unknown): Promise<void>;
    destroy(): void;
    ready: Promise<void>;
  }
  export function render(host: HTMLElement, payload: unknown, options?: { tab?: string }): Handle;
  export function fault(payload: unknown): string;
  export function partOf(payload: Payload, name: string): Payload;
}
