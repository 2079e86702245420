/** A table, by its name. */
export interface TableAddress {
  /** The table's name. */
  readonly table: string
}
