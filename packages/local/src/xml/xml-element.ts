/** An element of the XML that the service reads: it holds either text or other elements. */
export interface XmlElement {
  readonly name: string
  readonly children: readonly XmlElement[]
  /** The text with its references resolved; blank when there are children. */
  readonly text: string
}
