import { key } from '@rowkey/mapper'
import type { IndexBuild } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { type Site, siteWith } from './builders.ts'

const small = { rangeSize: 10 }

/** Counts the requests of one builder without others. */
async function alone(rows: number): Promise<number> {
  const { open, run } = await siteWith(rows)
  const builder = open()
  await run(() => builder.indexed.rebuild(small))
  return builder.sent()
}

/** Runs work, and tells how long it took in virtual time. */
async function timed<Result>(
  { run, time }: Pick<Site, 'run' | 'time'>,
  work: () => Promise<Result>,
) {
  const startedAt = time.now()
  const result = await run(work)
  return { result, took: time.now() - startedAt }
}

describe('builders of one index', () => {
  it('R-146: share the work: each row is written once, and three send about as much as one', async () => {
    const options = { rangeSize: 25 }
    const one = await siteWith(300, 100)
    const single = one.open()
    const alone = await timed(one, () => single.indexed.rebuild(options))
    const { open, written, ...site } = await siteWith(300, 100)
    const builders = [open(), open(), open()]
    const together = await timed(site, () =>
      Promise.all(builders.map(({ indexed }) => indexed.rebuild(options))),
    )
    expect(written()).toBe(300)
    for (const build of together.result) {
      expect(build).toMatchObject({ rows: 300, entries: 300, found: 300, repaired: 300 })
    }
    const sent = builders.reduce((sum, builder) => sum + builder.sent(), 0)
    expect(sent / single.sent()).toBeLessThan(1.15)
    for (const builder of builders) expect(builder.sent() / sent).toBeGreaterThan(0.2)
    expect(together.took / alone.took).toBeLessThan(0.6)
  })

  it('R-146: take over the range of a builder that died, while writers go on', async () => {
    const { open, run, insertOld, written } = await siteWith(120)
    const dying = open(70)
    const writer = open()
    const builders = [open(), open()]
    const dead = dying.indexed.rebuild(small).catch((error: unknown) => error)
    const writing = async () => {
      const { employees } = writer
      for (let id = 10; id <= 1_200; id += 70) {
        const moved = { department: 'Sales', id, firstName: 'Moved', lastName: `moved${id}` }
        await employees.merge(moved, { etag: '*' })
        await employees.insert({ department: 'Sales', id: id + 1, firstName: 'New', lastName: 'n' })
      }
    }
    const builds = await run(() =>
      Promise.all([...builders.map(({ indexed }) => indexed.rebuild(small)), writing()]),
    )
    expect(await dead).toBeInstanceOf(Error)
    expect(builds[0]).toMatchObject({ builders: 0, endedAt: expect.any(Date) })
    expect(await run(() => writer.indexed.state('lastName'))).toBe('readable')
    expect(await run(() => writer.indexed.verify())).toMatchObject({ rows: 138, found: 0 })
    // At most the range of the dead builder was looked at twice; no row is written twice by builders.
    expect(written()).toBeLessThan(120 + 36 + 10)
    await insertOld([5])
    expect(await run(() => writer.indexed.verify())).toMatchObject({ found: 1 })
  })

  it('R-146: continue where a rebuild was stopped', async () => {
    const { open, run, written } = await siteWith(120)
    const whole = await alone(120)
    const first = open(Math.floor(whole / 2))
    await run(() => first.indexed.rebuild(small).catch(() => undefined))
    const second = open()
    const [stopped] = await run(() => second.indexed.builds())
    expect(stopped).toMatchObject({ builders: 1, endedAt: undefined })
    expect(stopped?.rangesDone).toBe((stopped?.ranges ?? 0) - 1)
    const before = second.sent()
    const build = await run(() => second.indexed.rebuild(small))
    expect(build.startedAt).toEqual(stopped?.startedAt)
    expect(build).toMatchObject({ rows: 120, rangesDone: build.ranges })
    expect(written()).toBeLessThanOrEqual(120)
    expect((second.sent() - before) / whole).toBeLessThan(0.65)
    expect(await run(() => second.indexed.verify())).toMatchObject({ found: 0 })
  })

  it('keep the state until the range of a dead builder is done', async () => {
    const { open, run, time } = await siteWith(30)
    await run(() =>
      open(15)
        .indexed.rebuild(small)
        .catch(() => undefined),
    )
    const diedAt = time.now()
    const second = open()
    const building = second.indexed.rebuild({ ...small, takeOverAfter: 60_000 })
    const looking = async () => {
      await time.sleep(20_000)
      const [build] = await second.indexed.builds()
      return { build, state: await second.indexed.state('lastName') }
    }
    const { build, state } = await run(looking)
    expect(state).toBe('writeOnly')
    expect(build).toMatchObject({ ranges: 6, rangesDone: 5, builders: 1 })
    expect(await run(() => building)).toMatchObject({ rangesDone: 6, rows: 30 })
    expect(time.now() - diedAt).toBeGreaterThan(29_000)
    expect(await run(() => second.indexed.state('lastName'))).toBe('readable')
  })

  it('take over a whole range when rows were inserted into it', async () => {
    const { open, run, time } = await siteWith(30)
    await run(() =>
      open(7)
        .indexed.rebuild(small)
        .catch(() => undefined),
    )
    const writer = open()
    const insertMany = async () => {
      for (let id = 11; id <= 25; id++) {
        if (id % 10 === 0) continue
        await writer.employees.insert(employee(id))
      }
    }
    await run(insertMany)
    await run(() => time.sleep(60_000))
    const build = await run(() => writer.indexed.rebuild(small))
    expect(build).toMatchObject({ found: 30, repaired: 30 })
    expect(await run(() => writer.indexed.verify())).toMatchObject({ rows: 44, found: 0 })
  })

  it('take over a range on Cosmos DB, which does not sort rows', async () => {
    const { open, run, time } = await siteWith(30, 10, 'cosmos')
    await run(() =>
      open(30)
        .indexed.rebuild(small)
        .catch(() => undefined),
    )
    const second = open()
    expect((await run(() => second.indexed.builds()))[0]).toMatchObject({ builders: 1 })
    await run(() => time.sleep(60_000))
    const build = await run(() => second.indexed.rebuild(small))
    expect(build.rangesDone).toBe(build.ranges)
    expect(await run(() => second.indexed.verify())).toMatchObject({
      rows: 30,
      entries: 30,
      found: 0,
    })
    expect(await run(() => second.indexed.state('lastName'))).toBe('readable')
  })

  it('release a range at once when a call fails', async () => {
    const { open, run, time } = await siteWith(30)
    const builder = open()
    const abort = new AbortController()
    const onFinding = () => abort.abort()
    const options = { ...small, onFinding, signal: abort.signal }
    await run(() => builder.indexed.rebuild(options).catch(() => undefined))
    const before = time.now()
    expect(await run(() => builder.indexed.rebuild(small))).toMatchObject({ rows: 30 })
    expect(time.now() - before).toBeLessThan(10_000)
  })

  it('report the progress of all of them', async () => {
    const { open, run } = await siteWith(60)
    const seen: IndexBuild[] = []
    const onProgress = (build: IndexBuild) => seen.push(build)
    const builders = [open(), open()]
    await run(() =>
      Promise.all(builders.map(({ indexed }) => indexed.rebuild({ ...small, onProgress }))),
    )
    expect(seen).toHaveLength(12)
    expect(seen.map(({ rangesDone }) => rangesDone).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    )
    expect(seen.some(({ builders: count }) => count === 1)).toBe(true)
    expect(seen.at(-1)).toMatchObject({
      rows: 60,
      entries: 60,
      repaired: 60,
      indexes: ['lastName'],
    })
  })
})

describe('rebuild', () => {
  it('rejects a range of more rows than a page has', async () => {
    const { open } = await siteWith(0)
    const building = open().indexed.rebuild({ rangeSize: 1_001 })
    await expect(building).rejects.toThrow(/rangeSize .* must be at most 1000; got 1001/)
  })
})

describe('a stored build', () => {
  it('of another declaration stops a builder while it runs, and is replaced when it was abandoned', async () => {
    const { open, run, time } = await siteWith(30)
    await run(() =>
      open(30)
        .indexed.rebuild(small)
        .catch(() => undefined),
    )
    const other = open(undefined, key`surname_${'lastName'}_${'id:6'}`)
    const failing = run(() => other.indexed.rebuild(small))
    await expect(failing).rejects.toMatchObject({ code: 'IndexBuildDiffers' })
    await run(() => time.sleep(60_000))
    expect(await run(() => other.indexed.rebuild(small))).toMatchObject({ rows: 30, repaired: 30 })
  })

  it('is replaced with restart, and its builders end', async () => {
    const { open, run, time } = await siteWith(60)
    const [first, second] = [open(), open()]
    const replaced = first.indexed.rebuild(small).catch((error: unknown) => error)
    await run(() => time.sleep(100))
    const build = await run(() => second.indexed.rebuild({ ...small, restart: true }))
    expect(build).toMatchObject({ rows: 60, entries: 60 })
    expect(await run(() => replaced)).toMatchObject({ code: 'IndexStateChanged' })
    expect(await run(() => second.indexed.verify())).toMatchObject({ found: 0 })
  })

  it('from before a change of the state is replaced', async () => {
    const { open, run } = await siteWith(30)
    await run(() =>
      open(60)
        .indexed.rebuild(small)
        .catch(() => undefined),
    )
    const second = open()
    await run(() => second.indexed.setState('lastName', 'disabled'))
    expect(await run(() => second.indexed.rebuild(small))).toMatchObject({ rows: 30 })
    expect(await run(() => second.indexed.verify())).toMatchObject({ found: 0 })
  })

  it('that was left for a day is replaced', async () => {
    const { open, run, time } = await siteWith(30)
    await run(() =>
      open(60)
        .indexed.rebuild(small)
        .catch(() => undefined),
    )
    const second = open()
    const [left] = await run(() => second.indexed.builds())
    expect(left?.rangesDone).toBeGreaterThan(1)
    await run(() => time.sleep(24 * 60 * 60_000))
    const build = await run(() => second.indexed.rebuild(small))
    expect(build.startedAt).not.toEqual(left?.startedAt)
    expect(build).toMatchObject({ rows: 30, rangesDone: 6 })
  })

  it('that ended is replaced by the next rebuild', async () => {
    const { open, run } = await siteWith(30)
    const builder = open()
    await run(() => builder.indexed.rebuild(small))
    expect(await run(() => builder.indexed.rebuild(small))).toMatchObject({ rows: 30, found: 0 })
    expect(await run(() => builder.indexed.builds())).toHaveLength(1)
  })
})

function employee(id: number) {
  return { department: 'Sales', id, firstName: 'New', lastName: `new${id}` }
}
