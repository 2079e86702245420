import { type EntityKey, InputError, isRowkeyError, type RowkeyError } from '@rowkey/odata'

/** A row that a comparison could not read. */
export interface UnreadableRow {
  /** The model cannot read the row, or no key can hold its values; or another program changed a kept row. */
  readonly kind: 'unreadable'
  /** The key of the row. */
  readonly row: EntityKey
  /** Why it is unreadable. */
  readonly error: RowkeyError
  /**
   * Whether the row was repaired: a kept row is rebuilt from the entities. An entity never is: mend or delete it, and rebuild
   * again.
   */
  readonly repaired: boolean
}

/** In place of what a row should hold. */
export class Unreadable {
  readonly finding: UnreadableRow

  /** @param finding - the row, and why it is unreadable */
  constructor(finding: UnreadableRow) {
    this.finding = finding
  }
}

/**
 * Reads something of a row.
 *
 * @returns the result, or why the row is unreadable
 */
export function readable<Result>(row: EntityKey, read: () => Result): Result | Unreadable {
  try {
    return read()
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    return new Unreadable({ kind: 'unreadable', row, error, repaired: false })
  }
}

/**
 * Computes what the old row had derived. An unreadable old row, which another client wrote, had nothing, so that it can still be corrected or
 * deleted.
 */
export function keptBefore<Stored, Kept>(
  before: Stored | undefined,
  make: (stored: Stored) => Kept | undefined,
): Kept | undefined {
  try {
    return before && make(before)
  } catch (error) {
    if (isKeyError(error)) return undefined
    throw error
  }
}

/** Tells whether no key can hold a value. */
export function isKeyError(error: unknown): error is InputError {
  return error instanceof InputError && KEY_ERRORS.has(error.code)
}

const KEY_ERRORS: ReadonlySet<string> = new Set(['InvalidKeyPart', 'InvalidEntityKey'])
