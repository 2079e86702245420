import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commitsInLog } from '../../../packages/local/src/durable/open-engine.ts'
import { TOTALS_KEY } from '../../../packages/local/src/durable/record-key.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { printTotals, sealText } from '../../../packages/local/src/durable/sealed-text.ts'
import { Conversation } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const sealedTotals = (commits: number) =>
  sealText(TOTALS_KEY, printTotals({ commits, records: 3, sum: 4 }))

/** The totals as the engine writes them: after their key, and the length of both. */
const noteOf = (commits: number) => {
  const totals = sealedTotals(commits)
  return Buffer.from(`\u0001${TOTALS_KEY}${String.fromCharCode(totals.length)}${totals}`)
}

/** Writes a log of the engine, with one commit for each size. */
async function logOf(...sizes: readonly number[]): Promise<Buffer> {
  const folder = join(await temporaryFolder(), 'store')
  const records = await Records.open(folder)
  for (const [at, size] of sizes.entries()) {
    await records.commit((draft) => draft.put(`k${at}`, 'x'.repeat(size)))
  }
  const name = (await readdir(folder)).find((file) => file.endsWith('.log')) ?? ''
  const log = await readFile(join(folder, name))
  await records.close()
  return log
}

describe('commitsInLog', () => {
  it('returns the last commit that is complete', () => {
    const log = Buffer.concat([Buffer.from('head'), noteOf(1), Buffer.from('rows'), noteOf(2)])
    expect(commitsInLog(log)).toBe(2)
  })

  it('does not count a commit that was cut off, at any byte', () => {
    const [first, second] = [noteOf(41), noteOf(42)]
    for (let length = 0; length < second.length; length++) {
      expect(commitsInLog(Buffer.concat([first, second.subarray(0, length)]))).toBe(41)
    }
  })

  it('finds nothing in a log without commits', () => {
    expect(commitsInLog(Buffer.alloc(0))).toBe(0)
    expect(commitsInLog(Buffer.alloc(100_000))).toBe(0)
    expect(commitsInLog(Buffer.from('{"commits":7,"records":0,"sum":0}'))).toBe(0)
  })

  it('is not misled by keys that look like commits', async () => {
    const folder = await temporaryFolder()
    const made = new Conversation({ data: folder })
    await made.send('POST', '/Tables', { body: { TableName: 'people' } })
    const key = { PartitionKey: sealedTotals(7), RowKey: sealedTotals(9) }
    expect((await made.send('POST', '/people', { body: key })).status).toBe(201)
    await made.local.close()
    const opened = new Conversation({ data: folder })
    const { body } = await opened.send('GET', '/people()')
    expect(JSON.parse(body).value).toEqual([expect.objectContaining(key)])
    await opened.local.close()
  })

  it('counts the commits of the engine, in one piece or over many blocks', async () => {
    expect(commitsInLog(await logOf(1, 2, 3))).toBe(3)
    expect(commitsInLog(await logOf(100_000, 10, 40_000, 32_768 - 40, 5, 70_000))).toBe(6)
  })

  it('rejects a log that repeats a commit, wherever its first part was appended', async () => {
    const single = await logOf(10)
    expect(commitsInLog(Buffer.concat([single, single]))).toBeUndefined()
    const short = await logOf(10, 20, 30)
    expect(commitsInLog(Buffer.concat([short, short]))).toBeUndefined()
    const long = await logOf(...Array.from({ length: 40 }, () => 3_000))
    expect(commitsInLog(Buffer.concat([long, long.subarray(0, 65_536)]))).toBeUndefined()
    const blocks = long.subarray(0, 65_536)
    expect(commitsInLog(Buffer.concat([blocks, long]))).toBeUndefined()
  })

  it('skips what is damaged or cut off, as the engine does', async () => {
    const log = await logOf(...Array.from({ length: 40 }, () => 3_000))
    fc.assert(
      fc.property(fc.nat(log.length - 1), fc.nat(log.length), (at, length) => {
        const damaged = Buffer.from(log.subarray(0, length))
        if (at < length) damaged[at] = (damaged[at] ?? 0) ^ 0x55
        expect(commitsInLog(damaged)).toBeLessThanOrEqual(40)
      }),
    )
  })
})
