import { localTableService } from '@rowkey/local'
import { Account, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { type DerivedFinding, type DerivedProgress, declareIndexes } from '@rowkey/patterns'
import { type HttpRequest, noRetry, type Transport, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, isBatch, jones, type Office, office } from '../employees.ts'
import { grown } from '../indexes/grown-staff.ts'

/** How many rows a site has: more than one part of the work. */
const ROWS = 6_000

/** A table of a program without indexes, with rows in several partitions, and the index of the next program. */
async function site(rows = ROWS, flavour?: 'cosmos') {
  const opened = office(flavour)
  const old = opened.account.table('employees')
  await old.create()
  const all = Array.from({ length: rows }, (_, at) => {
    const rowKey = `empid_${String(at).padStart(6, '0')}`
    return new DynamicEntity(`part${at % 6}`, rowKey, { firstName: 'Jon', lastName: `name${at}` })
  })
  await old.bulk().insert(all)
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, { lastName: { rowKey: key`${'lastName'}_${'id:6'}` } })
  return { ...opened, opened, Employee, indexes, indexed: indexes.on(opened.account) }
}

/** Counts the transactions that write entries. */
const written = ({ sent }: Pick<Office, 'sent'>) =>
  sent.filter((each) => isBatch(each) && String(each.body).includes('~lastName.')).length

const isCatalogue = ({ path, body }: HttpRequest): boolean =>
  `${path} ${body}`.includes('~rk~cat~') || `${path} ${body}`.includes('~rk~cat%7E')

describe('build', () => {
  it('R-146: builds the indexes of a table that has rows', async () => {
    const { indexed } = await grown()
    expect(await indexed.state('email')).toBe('building')
    expect(await indexed.build()).toMatchObject({ rows: 5, kept: 0, found: 10, repaired: 10 })
    expect(await indexed.state('email')).toBe('readable')
    const third = { department: 'Sales', email: '3@contoso.com' }
    expect((await indexed.find('email', third))?.id).toBe(3)
    expect(await indexed.verify()).toMatchObject({ rows: 5, kept: 10, found: 0 })
  })

  it('costs one request when all are readable', async () => {
    const { indexed, sent } = await grown(2)
    await indexed.build()
    sent.length = 0
    expect(await indexed.build()).toMatchObject({ rows: 0, found: 0 })
    expect(sent).toHaveLength(1)
  })

  it('R-147: continues where a builder died, and takes over after 30 seconds', async () => {
    const { opened, indexes, indexed, rival } = await site()
    await expect(indexes.on(rival(118)).build()).rejects.toThrow()
    const before = opened.now
    opened.sent.length = 0
    const rest = await indexed.build()
    expect(opened.now - before).toBeGreaterThan(20_000)
    expect(rest.rows).toBeLessThan(ROWS)
    expect(written(opened)).toBeLessThan(ROWS / 50)
    expect(await indexed.verify()).toMatchObject({ rows: ROWS, kept: ROWS, found: 0 })
  })

  it('takes over after 30 seconds from a builder whose clock was an hour ahead', async () => {
    const { opened, indexes, indexed, rival } = await site(1_200)
    opened.now += 3_600_000
    await expect(indexes.on(rival(25)).build()).rejects.toThrow()
    opened.now -= 3_600_000
    const before = opened.now
    await indexed.build()
    expect(opened.now - before).toBeLessThan(90_000)
    expect(await indexed.verify()).toMatchObject({ rows: 1_200, found: 0 })
  })

  it('R-147: is done by one of several programs, and the others wait', async () => {
    const { indexes, indexed, rival, opened } = await site()
    const builds = await Promise.all([indexed.build(), indexes.on(rival()).build()])
    expect(builds.map(({ rows }) => rows).sort()).toEqual([0, ROWS])
    expect(opened.sent.length).toBeLessThan(3 * (ROWS / 50))
    expect(await indexed.verify()).toMatchObject({ found: 0 })
  })

  it.each([1_000, 20_000, 60_000])(
    'R-147: is done by one of several programs with a lease of %i ms, which all wait no longer than it takes',
    async (lease) => {
      const time = new VirtualTime()
      const { transport, connectionString } = localTableService({ now: time.now })
      let ids = 0
      const open = () =>
        new Account(
          tableService({
            ...{ connectionString: connectionString(), transport, retry: noRetry },
            ...{ now: time.now, sleep: time.sleep, random: () => 0.5, newId: () => `id${++ids}` },
          }),
        )
      const old = open().table(defineEmployee())
      await time.run(old.create())
      await time.run(old.insert(jones))
      const build = () => {
        const lastName = { rowKey: key`${'lastName'}_${'id:6'}` }
        return declareIndexes(defineEmployee(), { lastName }, { lease }).on(open()).build()
      }
      const begunAt = time.now()
      const builds = await time.run(Promise.all([build(), build()]), 10 * lease)
      expect(builds.map(({ rows }) => rows)).toEqual([1, 0])
      expect(time.now() - begunAt).toBe(2 * lease)
    },
  )

  it('stays with a builder whose onFinding takes longer than 30 seconds in all', async () => {
    const { indexes, indexed, rival, opened } = await site(1_200)
    const onFinding = () => {
      opened.now += 100
    }
    const slow = indexed.build({ onFinding })
    const other = indexes.on(rival()).build()
    expect(await slow).toMatchObject({ rows: 1_200, found: 1_200, repaired: 1_200 })
    expect(await other).toMatchObject({ rows: 0 })
  })

  it('lets others go on at once when its call fails', async () => {
    const { indexed, opened } = await site(10)
    const abort = new AbortController()
    const options = { onFinding: () => abort.abort(), signal: abort.signal }
    await expect(indexed.build(options)).rejects.toThrow()
    const before = opened.now
    expect(await indexed.build()).toMatchObject({ rows: 10 })
    // Two leases, and no wait for the builder that failed.
    expect(opened.now - before).toBe(20_000)
  })

  it('tells how far it is', async () => {
    const { indexed } = await site()
    const seen: DerivedProgress[] = []
    await indexed.build({ onProgress: (progress) => seen.push(progress) })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)).toMatchObject({ rows: ROWS, next: undefined })
  })

  it('is right when a writer moves a value between the read of a row and its entry', async () => {
    const { indexed, employees, between } = await grown(1)
    between(isBatch, () =>
      employees.modify({ department: 'Sales', id: 1 }, (employee) => {
        employee.email = 'moved@contoso.com'
      }),
    )
    await indexed.build()
    expect(await indexed.verify()).toMatchObject({ found: 0 })
    const moved = { department: 'Sales', email: 'moved@contoso.com' }
    expect((await indexed.find('email', moved))?.id).toBe(1)
  })

  it('is right when a writer deletes a row between the read of the row and its entry', async () => {
    const { indexed, employees, between } = await grown(2)
    between(
      (request) => isBatch(request) && !isCatalogue(request),
      () => employees.delete({ department: 'Sales', id: 1 }, { etag: '*' }),
    )
    await indexed.build()
    expect(await indexed.verify()).toMatchObject({ rows: 1, kept: 2, found: 0 })
  })

  it('leaves an index with shared values unreadable, and reports them', async () => {
    const { indexed, old, employees } = await grown(2)
    await old.merge({ ...jones, id: 2, email: '1@contoso.com' }, { etag: '*' })
    const found: DerivedFinding[] = []
    const build = indexed.build({ onFinding: (finding) => found.push(finding) })
    await expect(build).rejects.toMatchObject({
      code: 'BuildIncomplete',
      message: expect.stringContaining('duplicate ["Sales","empid_000002"]'),
    })
    expect(found).toContainEqual(
      expect.objectContaining({ name: 'email', kind: 'duplicate', repaired: false }),
    )
    expect(await indexed.state('email')).toBe('building')
    expect(await indexed.state('lastName')).toBe('readable')
    await employees.modify({ department: 'Sales', id: 2 }, (employee) => {
      employee.email = '2@contoso.com'
    })
    await indexed.build()
    expect(await indexed.state('email')).toBe('readable')
  })

  it('lets no program write that declares something else, from its last look on', async () => {
    const { indexed, rival, asleep } = await grown(2)
    const Other = defineEmployee()
    declareIndexes(Other, { age: { rowKey: key`${'age:int32'}_${'id:6'}` } })
    const other = rival().table(Other)
    await other.insert({ ...jones, id: 8, email: '8@contoso.com' })
    let late: unknown
    asleep(async () => {
      late = await other
        .insert({ ...jones, id: 9, email: '9@contoso.com' })
        .catch(({ code }) => code)
    })
    await indexed.build()
    expect(late).toBe('UndeclaredDefinition')
    expect(await indexed.verify()).toMatchObject({ rows: 3, found: 0 })
  })

  it.each([undefined, 'cosmos'] as const)(
    'verify goes on from a place that an earlier one ended at, and leaves out no row (%s)',
    async (flavour) => {
      const { indexed } = await site(ROWS, flavour)
      await indexed.build()
      const parts: DerivedProgress[] = []
      await indexed.verify({ onProgress: (part) => parts.push(part) })
      const [{ rows = ROWS, next = '' } = {}] = parts
      const rest = await indexed.verify({ from: next })
      expect(rest).toMatchObject({ rows: ROWS - rows, found: 0, next: undefined })
    },
  )

  it('a program that dies at any request leaves an index that the next one builds', async () => {
    for (let life = 0; ; life += CASE_STEP) {
      const { indexed, indexes, employees, rival } = await grown(2)
      const dying = indexes.on(rival(life)).build()
      const isDone = await dying.then(
        () => true,
        () => false,
      )
      await employees.insert({ ...jones, id: 9, email: '9@contoso.com' })
      await indexed.build()
      expect(await indexed.verify(), `after ${life} requests`).toMatchObject({ rows: 3, found: 0 })
      if (isDone) return expect(life).toBeGreaterThan(5)
    }
  })

  it('R-147: loses neither time nor its count when a response to a write of the catalogue is lost', async () => {
    for (let at = 1; ; at++) {
      const { indexes, opened } = await grown(2)
      let writes = 0
      const lossy = opened.over((service) => async (request, limits) => {
        const response = await service(request, limits)
        if (isBatch(request) && isCatalogue(request) && ++writes === at) throw new Error('lost')
        return response
      })
      const before = opened.now
      expect(await indexes.on(lossy).build(), `lost response ${at}`).toMatchObject({ rows: 2 })
      // An insert without a response is waited for.
      expect(opened.now - before).toBe(at === 1 ? 30_000 : 20_000)
      if (writes < at) return expect(at).toBe(5)
    }
  })

  it('takes over at once from a builder that died a minute ago', async () => {
    const { indexes, indexed, rival, opened } = await grown(2)
    await expect(indexes.on(rival(4)).build()).rejects.toThrow()
    opened.now += 60_000
    const before = opened.now
    await indexed.build()
    expect(opened.now - before).toBe(20_000)
  })

  it('throws the error of its caller when it cannot let others go on', async () => {
    const { indexes, opened } = await grown(2)
    let hasEnded = false
    const ending = opened.over((service) => async (request, limits) => {
      if (hasEnded) throw new Error('The network has ended.')
      return service(request, limits)
    })
    const onFinding = () => {
      hasEnded = true
      throw new Error('The caller has ended.')
    }
    await expect(indexes.on(ending).build({ onFinding })).rejects.toThrow('The caller has ended.')
  })

  it('lets no other go on with what another builder has taken over', async () => {
    const { indexes, indexed, rival, opened } = await grown(2)
    const onFinding = async () => {
      opened.now += 60_000
      await indexes
        .on(rival(5))
        .build()
        .catch(() => undefined)
      throw new Error('The caller has ended.')
    }
    await expect(indexed.build({ onFinding })).rejects.toThrow('The caller has ended.')
    const before = opened.now
    await indexed.build()
    expect(opened.now - before).toBeGreaterThan(40_000)
  })

  it('leaves out of its definitions what is dropped meanwhile', async () => {
    const { indexes, indexed, rival, between } = await grown(1)
    between(
      (request) => isBatch(request) && String(request.body).includes('empid_000001'),
      () => indexes.on(rival()).drop('lastName'),
    )
    await indexed.build()
    expect(await indexed.state('lastName')).toBe('dropped')
    expect(await indexed.state('email')).toBe('readable')
  })

  it('of a dropped index finds nothing that programs left out while they knew that it is gone', async () => {
    const { Employee, indexed, rival, between } = await grown(1)
    await indexed.drop('email')
    const writer = rival().table(Employee)
    await writer.insert({ ...jones, id: 8, email: '8@contoso.com' })
    between(
      (request) => isCatalogue(request) && String(request.body).includes('last look'),
      () => writer.insert({ ...jones, id: 9, email: '9@contoso.com' }),
    )
    await indexed.build({ only: ['email'] })
    const ninth = { department: 'Sales', email: '9@contoso.com' }
    expect(await indexed.find('email', ninth)).toMatchObject({ id: 9 })
  })
})

describe('a builder that dies in its last look', () => {
  /** A table of five rows, whose builder has compared all and reads some of them again, which takes more than half a minute. */
  async function died(only?: readonly ['email']) {
    const made = await grown(5)
    const { indexes, opened } = made
    let isLast = false
    let scans = 0
    const slow = opened.over((service) => async (request, limits) => {
      if (isCatalogue(request) && String(request.body).includes('last look')) isLast = true
      if (!isLast || !request.path.endsWith('employees()')) return service(request, limits)
      if (++scans === 4) throw new Error('The program has died.')
      opened.now += 20_000
      return service({ ...request, query: `${request.query}&$top=1` }, limits)
    })
    await expect(indexes.on(slow).build({ only })).rejects.toThrow()
    return made
  }

  it('R-147: leaves nothing but this look to the next one', async () => {
    const { indexed } = await died()
    expect(await indexed.build()).toMatchObject({ rows: 0 })
    expect(await indexed.state('email')).toBe('readable')
    expect(await indexed.verify()).toMatchObject({ rows: 5, found: 0 })
  })

  it('leaves all rows to the next one when that builds other indexes, too', async () => {
    const { indexed } = await died(['email'])
    expect(await indexed.build()).toMatchObject({ rows: 5 })
    expect(await indexed.state('lastName')).toBe('readable')
  })

  it('lets a program that declares something else write no sooner', async () => {
    const { indexes, rival, opened } = await died()
    const Other = defineEmployee()
    declareIndexes(Other, { age: { rowKey: key`${'age:int32'}_${'id:6'}` } })
    const other = rival().table(Other)
    const ends: unknown[] = []
    const next = opened.over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (isCatalogue(request) && isBatch(request) && ends.length === 0) {
        ends.push(0)
        ends.push(await other.insert({ ...jones, id: 8 }).catch(({ code }) => code))
      }
      return response
    })
    await indexes.on(next).build()
    expect(ends).toEqual([0, 'UndeclaredDefinition'])
  })
})

describe('a builder whose requests take 20 seconds each', () => {
  const near = { rowKey: key`${'lastName'}_${'id:6'}` }
  const far = { partitionKey: key`${'lastName'}`, rowKey: key`${'department'}_${'id:6'}` }

  it.each([
    ['reads', 'near', near],
    ['reads', 'far', far],
    ['writes', 'far', far],
  ] as const)(
    'is left alone by another one while it %s rows of an index that is %s',
    async (what, _, lastName) => {
      const time = new VirtualTime()
      const { transport, connectionString } = localTableService({ now: time.now })
      let ids = 0
      let isSlow = false
      const slow: Transport = async (request, limits) => {
        const isScan = request.path.endsWith('employees()') && !request.query.includes('$top')
        const isWrite = request.method === 'POST' && request.path.endsWith('employees')
        if (isSlow && (what === 'reads' ? isScan : isWrite)) await time.sleep(20_000)
        return transport(
          isScan ? { ...request, query: `${request.query}&$top=1` } : request,
          limits,
        )
      }
      const open = () =>
        new Account(
          tableService({
            ...{ connectionString: connectionString(), transport: slow, retry: noRetry },
            ...{ now: time.now, sleep: time.sleep, random: () => 0.5, newId: () => `id${++ids}` },
          }),
        )
      const old = open().table(defineEmployee())
      await time.run(old.create())
      for (let id = 1; id <= 4; id++) await time.run(old.insert({ ...jones, id }))
      const build = () => {
        const Employee = defineEmployee()
        const { worker } = announcedTo()
        return declareIndexes(Employee, { lastName }, { worker })
          .on(open())
          .build({ concurrency: 1 })
      }
      isSlow = true
      const builds = await time.run(Promise.all([build(), build()]), 3_600_000)
      expect(builds.map(({ rows }) => rows)).toEqual([4, 0])
    },
  )
})
