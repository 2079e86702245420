/** A table service that a test has started, whoever wrote it. */
export interface Service {
  readonly connectionString: string
  close(): Promise<void>
}
