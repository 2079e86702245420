/** What an operation answers; the headers that every answer has are added later. */
export interface Answer {
  /** The status code of HTTP. */
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty when there is none. */
  readonly body: string
}
