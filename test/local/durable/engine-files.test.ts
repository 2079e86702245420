import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTableFileWhole } from '../../../packages/local/src/durable/engine-files.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const FOOTER_SIZE = 48

/**
 * A table file of the engine. The engine writes it when it opens the folder again, from its log.
 */
async function tableFile(): Promise<Buffer> {
  const folder = await temporaryFolder()
  for (let round = 0; round < 2; round++) {
    const records = await Records.open(folder)
    await records.commit((draft) => {
      for (let at = 0; at < 200; at++) draft.put(`${round}-${at}`, 'x'.repeat(50))
    })
    await records.close()
  }
  const name = (await readdir(folder)).find((file) => file.endsWith('.ldb')) ?? ''
  return readFile(join(folder, name))
}

describe('isTableFileWhole', () => {
  it('finds every changed byte before the footer', async () => {
    const file = await tableFile()
    expect(isTableFileWhole(file)).toBe(true)
    for (let at = 0; at < file.length - FOOTER_SIZE; at += 37) {
      const damaged = Buffer.from(file)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect([at, isTableFileWhole(damaged)]).toEqual([at, false])
    }
  })

  it('leaves an incomplete file to the engine', async () => {
    const file = await tableFile()
    expect(isTableFileWhole(file.subarray(0, file.length - 1))).toBe(true)
    expect(isTableFileWhole(Buffer.alloc(0))).toBe(true)
  })
})
