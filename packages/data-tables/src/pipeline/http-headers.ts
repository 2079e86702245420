import type { HttpHeaders } from './interfaces.ts'

interface Header {
  readonly name: string
  readonly value: string
}

/**
 * Makes headers from an object of names and values.
 *
 * @param values - the first headers
 */
export function httpHeaders(values: Readonly<Record<string, string>> = {}): HttpHeaders {
  return new Headers(values)
}

class Headers implements HttpHeaders {
  readonly #headers = new Map<string, Header>()

  constructor(values: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(values)) this.set(name, value)
  }

  get(name: string): string | undefined {
    return this.#headers.get(name.toLowerCase())?.value
  }

  has(name: string): boolean {
    return this.#headers.has(name.toLowerCase())
  }

  set(name: string, value: string | number | boolean): void {
    this.#headers.set(name.toLowerCase(), { name, value: String(value).trim() })
  }

  delete(name: string): void {
    this.#headers.delete(name.toLowerCase())
  }

  toJSON({ preserveCase = false }: { preserveCase?: boolean } = {}): Record<string, string> {
    return Object.fromEntries(
      [...this.#headers].map(([key, { name, value }]) => [preserveCase ? name : key, value]),
    )
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    for (const { name, value } of this.#headers.values()) yield [name, value]
  }
}
