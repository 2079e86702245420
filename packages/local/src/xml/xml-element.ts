/** An element of the XML that the service reads: it holds either text or other elements. */
export interface XmlElement {
  /** As it was written, with its prefix if it has one. */
  readonly name: string
  /** In the order in which they stand; none where there is text. */
  readonly children: readonly XmlElement[]
  /** The text with its references resolved; blank when there are children. */
  readonly text: string
}
