import { key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes, type IndexBuild, type IndexProgress } from '@rowkey/patterns'
import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { defineEmployee, isBatch, type Office, office } from '../employees.ts'

/** How many rows a site has: more than one part of the work. */
const ROWS = 6_000

/** A table of a program without indexes, with rows in several partitions. */
async function site(rows = ROWS, flavour?: 'cosmos') {
  const opened = office(flavour)
  const old = opened.account.table('employees')
  await old.create()
  const all = Array.from({ length: rows }, (_, at) => {
    const rowKey = `empid_${String(at).padStart(6, '0')}`
    const values = { firstName: 'Jon', lastName: `name${at}` }
    return new DynamicEntity(`part${at % 6}`, rowKey, values)
  })
  await old.bulk().insert(all)
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    lastName: { rowKey: key`lastname_${'lastName'}_${'id:6'}` },
  })
  return { ...opened, opened, Employee, indexes, indexed: indexes.on(opened.account) }
}

/** Counts the transactions that write entries. */
const written = ({ sent }: Pick<Office, 'sent'>) =>
  sent.filter((each) => isBatch(each) && String(each.body).includes('lastname_')).length

describe('a build', () => {
  it('R-146: continues where a builder died, and takes over after 30 seconds', async () => {
    const { opened, indexes, indexed, rival } = await site()
    await expect(indexes.on(rival(118)).ensure()).rejects.toThrow()
    const stopped = await indexed.lastBuild()
    expect(stopped).toMatchObject({ endedAt: undefined })
    expect(stopped?.rows).toBeGreaterThan(0)
    const before = opened.now
    opened.sent.length = 0
    await indexed.ensure()
    expect(opened.now - before).toBeGreaterThan(20_000)
    const build = await indexed.lastBuild()
    expect(build).toMatchObject({ rows: ROWS })
    expect(build?.startedAt).toEqual(stopped?.startedAt)
    expect(written(opened)).toBeLessThan(ROWS / 50)
    expect(await indexed.verify()).toMatchObject({ rows: ROWS, entries: ROWS, found: 0 })
  })

  it('takes over after 30 seconds from a builder whose clock was an hour ahead', async () => {
    const { opened, indexes, indexed, rival } = await site(1_200)
    opened.now += 3_600_000
    await expect(indexes.on(rival(25)).ensure()).rejects.toThrow()
    expect(await indexed.lastBuild()).toMatchObject({ endedAt: undefined })
    opened.now -= 3_600_000
    const before = opened.now
    await indexed.ensure()
    expect(opened.now - before).toBeLessThan(60_000)
    expect(await indexed.verify()).toMatchObject({ rows: 1_200, found: 0 })
  })

  it('R-146: is done by one of several programs, and the others wait', async () => {
    const { indexes, indexed, rival, opened } = await site()
    const builds = await Promise.all([indexed.rebuild(), indexes.on(rival()).rebuild()])
    expect(builds[0]).toEqual(builds[1])
    expect(builds[0]).toMatchObject({ rows: ROWS, found: ROWS, repaired: ROWS })
    expect(opened.sent.length).toBeLessThan(2 * (ROWS / 50))
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })

  it('R-146: stays with a builder whose onFinding takes longer than 30 seconds in all', async () => {
    const { indexes, indexed, rival, opened } = await site(1_200)
    const onFinding = () => {
      opened.now += 100
    }
    const slow = indexed.rebuild({ onFinding })
    const other = indexes.on(rival()).rebuild()
    expect(await slow).toMatchObject({ rows: 1_200, found: 1_200, repaired: 1_200 })
    expect(await other).toEqual(await slow)
  })

  it('R-146: is begun anew by rebuild when it was stopped', async () => {
    const { indexes, indexed, rival } = await site()
    await expect(indexes.on(rival(100)).rebuild()).rejects.toThrow()
    const build = await indexed.rebuild()
    expect(build.rows).toBe(ROWS)
    expect(build.found).toBeLessThan(ROWS)
  })

  it('R-146: of rebuild does not share one that read its rows before the call', async () => {
    const { indexed, indexes, opened, rival } = await site(10)
    let other: Promise<unknown> | undefined
    const isFirst = ({ method, body }: HttpRequest) =>
      method !== 'GET' && String(body).includes('lastname_name')
    opened.between(isFirst, async () => {
      // Another client has written a row that the builder has not read.
      const late = new DynamicEntity('part0', 'empid_999999', {
        firstName: 'Jon',
        lastName: 'late',
      })
      await rival().table('employees').insert(late)
      other = indexes.on(rival()).rebuild()
    })
    await indexed.rebuild()
    await other
    const found = await indexed
      .query('lastName', { department: 'part0', lastName: 'late' })
      .toArray()
    expect(found).toHaveLength(1)
  })

  it('writes no entry of an index that another program has removed', async () => {
    const { account, indexed, indexes, opened, rival } = await site(10)
    const isScan = ({ query }: HttpRequest) => decodeURIComponent(query).includes("'lastname_'")
    opened.between(isScan, () => indexes.on(rival()).remove('lastName'))
    await expect(indexed.rebuild()).rejects.toMatchObject({ code: 'IndexStateChanged' })
    const rows = await account.table('employees').query().allowTableScan().toArray()
    expect(rows.filter(({ rowKey }) => rowKey.startsWith('lastname_'))).toEqual([])
  })

  it('lets others go on at once when its call fails', async () => {
    const { indexed, opened } = await site(10)
    const abort = new AbortController()
    const options = { onFinding: () => abort.abort(), signal: abort.signal }
    await expect(indexed.rebuild(options)).rejects.toThrow()
    const before = opened.now
    expect(await indexed.rebuild()).toMatchObject({ rows: 10 })
    expect(opened.now - before).toBeLessThan(10_000)
  })

  it('tells how far it is', async () => {
    const { indexed } = await site()
    const seen: IndexBuild[] = []
    await indexed.rebuild({ onProgress: (build) => seen.push(build) })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)).toMatchObject({ rows: ROWS, indexes: ['lastName'] })
    expect(await indexed.lastBuild()).toMatchObject({ endedAt: expect.any(Date) })
  })

  it.each([undefined, 'cosmos'] as const)(
    'goes on from a place that an earlier verify ended at, and leaves out no row (%s)',
    async (flavour) => {
      const { indexed } = await site(ROWS, flavour)
      await indexed.rebuild()
      const parts: IndexProgress[] = []
      await indexed.verify({ onProgress: (part) => parts.push(part) })
      const [{ rows = ROWS, next = '' } = {}] = parts
      const rest = await indexed.verify({ from: next })
      expect(rest).toMatchObject({ rows: ROWS - rows, found: 0, next: undefined })
    },
  )
})
