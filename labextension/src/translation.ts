/** Strings that people read, through the translator of the application. */

import type { ITranslator, TranslationBundle } from '@jupyterlab/translation';

let bundle: TranslationBundle | null = null;

/** Use a translator from now on. */
export function useTranslator(translator: ITranslator | null): void {
  bundle = translator?.load('cl_magic') ?? null;
}

/** A string in the language of the user; `%1`, `%2` are put in as they are. */
export function text(message: string, ...facts: (string | number)[]): string {
  const put = (whole: string, number: string) => String(facts[Number(number) - 1] ?? whole);
  return bundle ? bundle.__(message, ...facts) : message.replace(/%(\d)/g, put);
}

/** A string that counts: `%1` is the number. */
export function plural(one: string, many: string, count: number): string {
  return bundle ? bundle._n(one, many, count) : text(count === 1 ? one : many, count);
}
