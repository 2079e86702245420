/** Goes through a text line by line, whether they end in CRLF or in LF, without splitting it. */
export class LineReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Where the next line starts. */
  get position(): number {
    return this.#at
  }

  /**
   * Whether the next line starts so.
   *
   * @param start - the first characters of the line
   */
  startsWith(start: string): boolean {
    return this.#text.startsWith(start, this.#at)
  }

  /** The next line without its end; `undefined` when there is none. */
  next(): string | undefined {
    const start = this.#at
    if (start >= this.#text.length) return undefined
    const found = this.#text.indexOf('\n', start)
    const end = found < 0 ? this.#text.length : found
    this.#at = end + 1
    return this.#text.slice(start, end > start && this.#text[end - 1] === '\r' ? end - 1 : end)
  }

  /**
   * Passes over everything up to a line that starts so, and stops before that line.
   *
   * @param start - the first characters of the line
   * @returns where the line starts; `undefined`, having moved nowhere, when there is none
   */
  skipTo(start: string): number | undefined {
    let at = this.#text.startsWith(start, this.#at) ? this.#at : -1
    if (at < 0) {
      const before = this.#text.indexOf(`\n${start}`, Math.max(0, this.#at - 1))
      if (before < 0) return undefined
      at = before + 1
    }
    this.#at = at
    return at
  }
}
