/** One element of an XML answer: its text, and the elements in it by name. */
export class XmlElement {
  readonly #content: unknown

  /** @param content - what the parser made of the element: text, or an object */
  constructor(content: unknown) {
    this.#content = content
  }

  /** The text in the element; empty when there is none. */
  get text(): string {
    return typeof this.#content === 'string' ? this.#content : ''
  }

  /** The first element of a name, when there is one. */
  child(name: string): XmlElement | undefined {
    return this.children(name)[0]
  }

  /** All elements of a name, in order. */
  children(name: string): readonly XmlElement[] {
    const content = this.#content
    if (typeof content !== 'object' || content === null || !Object.hasOwn(content, name)) return []
    // Checked the line before: an object that has the name.
    const found = (content as Record<string, unknown>)[name]
    return (Array.isArray(found) ? found : [found]).map((child) => new XmlElement(child))
  }
}
