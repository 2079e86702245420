const SPECIAL = /[&<>]/g
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A document as the service writes it: a byte order mark, the declaration, and one element. */
export function printDocument(element: string): string {
  return `\ufeff<?xml version="1.0" encoding="utf-8"?>${element}`
}

/** An element around what is XML already; one with nothing in it has the short form. */
export function printElement(name: string, content: string): string {
  return content === '' ? `<${name} />` : `<${name}>${content}</${name}>`
}

/** An element around text. */
export function printText(name: string, text: string | number | boolean): string {
  return printElement(
    name,
    String(text).replace(SPECIAL, (character) => REFERENCES[character] ?? character),
  )
}
