import type { Column } from './entity-model.ts'

/**
 * The most properties of one value: an entity can hold 1 MiB, and a property 64 KiB.
 * https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
export const MAX_CHUNKS = 16

/**
 * Returns the stored names of a value that is cut into chunks: `notes`, `notes_2` to `notes_16`. They are
 * part of the stored format.
 *
 * @param name - the stored name of the property
 */
export function chunkNames(name: string): readonly string[] {
  const further = Array.from({ length: MAX_CHUNKS - 1 }, (_, at) => `${name}_${at + 2}`)
  return [name, ...further]
}

/** Returns every stored name that a value of a column may use. */
export function storedNames({ name, chunked }: Column): readonly string[] {
  return chunked ? chunkNames(name) : [name]
}
