/** One element of an XML document: either text or other elements. */
export class XmlElement {
  /** The name with its prefix, if it has one: `m:error`. */
  readonly name: string
  /** The elements in it, in order; empty when it contains text. */
  readonly children: readonly XmlElement[]
  /** The text in it, with references resolved; empty when it contains elements. */
  readonly text: string

  /**
   * @param name - the name with its prefix
   * @param children - the elements in it
   * @param text - the text in it
   */
  constructor(name: string, children: readonly XmlElement[], text: string) {
    this.name = name
    this.children = children
    this.text = text
  }

  /** Returns the first element with a name, prefix aside; `undefined` when it is missing. */
  child(name: string): XmlElement | undefined {
    return this.children.find((child) => child.isNamed(name))
  }

  /** Returns all elements with a name, prefix aside, in order. */
  childrenNamed(name: string): readonly XmlElement[] {
    return this.children.filter((child) => child.isNamed(name))
  }

  /** Tells whether the element has a name, prefix aside. */
  isNamed(name: string): boolean {
    return this.name === name || this.name.endsWith(`:${name}`)
  }
}
