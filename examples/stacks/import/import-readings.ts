import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { BulkOptions, BulkSummary, Table } from 'rowkey'
import { Reading } from './reading.ts'

/**
 * Stores the readings of a file with lines such as `sensor-1,3600,20.5`. It reads the file line by line, so its size does not
 * matter.
 *
 * @param readings - the table
 * @param csv - the file
 * @param journal - the file that remembers what is done: another run with it goes on where this one ends, however it ends
 * @param onProgress - receives counts, the rate and what remains
 */
export async function importReadings(
  readings: Table<Reading>,
  csv: string,
  journal: string,
  onProgress: NonNullable<BulkOptions['onProgress']>,
): Promise<BulkSummary> {
  const file = await open(journal, 'a+')
  try {
    const total = await lengthOf(csv)
    return await readings.bulk({ journal: file, total, onProgress }).insert(readingsOf(csv))
  } finally {
    await file.close()
  }
}

async function* readingsOf(csv: string): AsyncGenerator<Reading> {
  for await (const line of linesOf(csv)) {
    const [sensor = '', second, celsius] = line.split(',')
    const values = { sensor, second: Number(second), celsius: Number(celsius) }
    yield Object.assign(new Reading(), values)
  }
}

async function lengthOf(csv: string): Promise<number> {
  let length = 0
  for await (const _line of linesOf(csv)) length++
  return length
}

const linesOf = (csv: string) => createInterface({ input: createReadStream(csv) })
