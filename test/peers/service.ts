/** A table service that a test has started: ours or Azurite. */
export interface Service {
  readonly connectionString: string
  close(): Promise<void>
}
