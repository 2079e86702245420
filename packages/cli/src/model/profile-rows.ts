import type { DynamicEntity } from 'rowkey'
import { discriminatorOf } from './discriminator.ts'
import { addRow, emptyProfile, type RowProfile } from './row-profile.ts'
import type { TypeProfile } from './write-model.ts'

/**
 * Finds the types of rows and their properties. It reads the rows once, and a second time when they have several types.
 *
 * @param read - calls the function with each row, from the beginning
 */
export async function profileRows(
  read: (onRow: (row: DynamicEntity) => void) => Promise<void>,
): Promise<{ readonly discriminator: string | undefined; readonly types: readonly TypeProfile[] }> {
  const profile = emptyProfile()
  await read((row) => addRow(profile, row))
  const discriminator = discriminatorOf(profile)
  if (discriminator === undefined) return { discriminator, types: [{ profile }] }
  const byValue = new Map<string, RowProfile>()
  await read((row) => {
    const value = String(row.get(discriminator)?.value)
    const found = byValue.get(value) ?? emptyProfile()
    byValue.set(value, found)
    addRow(found, row)
  })
  const types = [...byValue].sort(([one], [other]) => (one < other ? -1 : 1))
  return { discriminator, types: types.map(([value, each]) => ({ value, profile: each })) }
}
