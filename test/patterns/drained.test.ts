import { defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareOutbox, wideEntity } from '@rowkey/patterns'
import type { CallOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from './announcing.ts'
import {
  closing,
  collected,
  copied,
  defineEmployee,
  eventual,
  ids,
  indexed,
  type Kind,
  keysOf,
  named,
  one,
  outside,
  queued,
  sales,
  summed,
  times,
  two,
  withLogins,
} from './drained-programs.ts'

const ofIndexes: readonly Kind[] = [
  [
    'a write that keeps index entries',
    async (place) => {
      const { Employee, there } = await indexed(place)
      await there.build()
      const staff = place.account.table(Employee)
      return {
        run: async () => (await staff.insertOrReplace({ ...one, lastName: 'Smith' })).id,
        rows: async () => [
          (await there.verify()).found,
          ids(await collected(there.query('lastName', { ...sales, lastName: 'Smith' }))),
        ],
      }
    },
    '1',
    [0, ['1']],
  ],
  [
    'build of indexes',
    async (place) => {
      const { here, there } = await indexed(place)
      const rows = async () => ids(await collected(there.query('lastName', named)))
      return { run: async () => (await here.build()).repaired, rows }
    },
    4,
    ['1', '2'],
  ],
  [
    'repair of indexes',
    async (place) => {
      const { here, there } = await indexed(place)
      const rows = async () => (await there.verify()).found
      return { run: async () => (await here.repair()).repaired, rows }
    },
    4,
    0,
  ],
  [
    'find by an index',
    async (place) => {
      const { here, there } = await indexed(place)
      await there.build()
      return { run: async () => (await here.find('id', { ...sales, id: '1' }))?.id }
    },
    '1',
  ],
  [
    'query by an index',
    async (place) => {
      const { here, there } = await indexed(place)
      await there.build()
      return { run: async () => ids(await collected(here.query('lastName', named))) }
    },
    ['1', '2'],
  ],
  [
    'query by an eventual index',
    async (place) => {
      const { here, indexes } = await eventual(place)
      await indexes.on(place.other).build()
      return {
        run: async () => ids(await collected(here.query('lastName', { lastName: 'Jones' }))),
      }
    },
    ['1', '2'],
  ],
  [
    'drain of eventual indexes',
    async (place) => {
      const { Employee, indexes } = await eventual(place)
      await place.other.table(Employee).insertOrReplace({ ...one, lastName: 'Smith' })
      return {
        run: () => indexes.on(place.account).drain(),
        rows: async () => (await keysOf(place, 'names')).map((each) => each.split('~').at(-1)),
      }
    },
    1,
    ['Sales_1'],
  ],
]

const ofKeptRows: readonly Kind[] = [
  [
    'build of summaries',
    async (place) => {
      const { here, there } = await summed(place)
      const rows = async () => (await there.get('all', sales)).count
      return { run: async () => (await here.build()).repaired, rows }
    },
    1,
    2,
  ],
  [
    'verify of summaries',
    async (place) => {
      const { here } = await summed(place)
      return { run: async () => (await here.verify()).found }
    },
    1,
  ],
  [
    'refresh of copies',
    async (place) => {
      const { copies, rows } = await copied(place)
      return { run: () => copies.on(place.account).refresh({ team: 'a' }), rows }
    },
    true,
    ['Jones', undefined],
  ],
  [
    'repair of copies',
    async (place) => {
      const { copies, rows } = await copied(place)
      return { run: async () => (await copies.on(place.account).repair()).repaired, rows }
    },
    2,
    ['Jones', 'Jones'],
  ],
]

const ofValues: readonly Kind[] = [
  [
    'save of a large value',
    async (place) => {
      const { here, entity, chunks } = await outside(place)
      await here.save(entity, new Uint8Array(3))
      return { run: async () => (await here.save(entity, new Uint8Array(9))).id, rows: chunks }
    },
    '1',
    ['00000 9', 'end 9'],
  ],
  [
    'load of a replaced large value',
    async (place) => {
      const { Employee, here, entity } = await outside(place)
      await here.save(entity, new Uint8Array(3))
      const newer = await place.account.table(Employee).get({ ...sales, id: '1' })
      await here.save(newer, new Uint8Array(9))
      return { run: async () => (await here.load(entity))?.length }
    },
    9,
  ],
  [
    'sweep of large values',
    async (place) => {
      const { here, entity, chunks } = await outside(place)
      await here.stage(entity, new Uint8Array(3))
      return { run: () => here.sweep({ olderThan: 0 }), rows: chunks }
    },
    { checked: 1, deleted: 1 },
    [],
  ],
  [
    'modify of a wide entity',
    async (place) => {
      const Name = defineEmployee()
      const Rest = defineEntity({
        name: 'staff',
        partitionKey: key`${'department'}`,
        rowKey: key`rest_${'id'}`,
        schema: z.object({ department: z.string(), id: z.string(), note: z.string().optional() }),
      })
      const wide = wideEntity(Name, Rest)
      await place.other.createTable('staff')
      await wide.on(place.other).insert({ ...one, note: 'old' })
      const change = (entity: object) => void Object.assign(entity, { note: 'new' })
      return {
        run: async () => (await wide.on(place.account).modify(one, change)).note,
        rows: async () => (await wide.on(place.other).get(one)).note,
      }
    },
    'new',
    'new',
  ],
]

const ofWorkers: readonly Kind[] = [
  [
    'deliver of an outbox',
    async (place) => {
      const Employee = defineEmployee()
      const messages = ({ after }: { after?: { id: string } | undefined }) => [after?.id]
      const outbox = declareOutbox(Employee, { messages, ...announcedTo(async () => {}) })
      await place.other.table(Employee).create()
      await place.other.createTable('done')
      for (const each of [one, two]) await place.other.table(Employee).insert({ ...each })
      const done = place.account.table('done')
      const partition = { table: 'staff', partitionKey: 'Sales' }
      const handle = async (id: string | undefined, options: CallOptions) =>
        void (await done.insert(new DynamicEntity('done', `${id}`), options))
      return {
        run: () => outbox.on(place.account).deliver(partition, handle),
        rows: async () => [await keysOf(place, 'staff'), await keysOf(place, 'done')],
      }
    },
    2,
    [
      ['id_1', 'id_2', '~rk~ob~id_~outbox~.'],
      ['1', '2'],
    ],
  ],
  [
    'runOnce of a job queue',
    async (place) => {
      const { jobs, rows } = await queued(place)
      await jobs.send('move', { ...sales, id: '1' })
      return { run: () => jobs.runOnce(), rows }
    },
    { done: 1, failed: 0, dead: 0 },
    [[], ['id_1'], ['id_2']],
  ],
  [
    'runOnce of a job queue whose job fails',
    async (place) => {
      const { jobs, rows } = await queued(place)
      await jobs.send('move', { ...sales, id: 'none' })
      return { run: () => jobs.runOnce(), rows }
    },
    { done: 0, failed: 0, dead: 1 },
    [['dead'], [], ['id_1', 'id_2']],
  ],
  [
    'retryDead of a worker',
    async (place) => {
      const { jobs, rows } = await queued(place)
      await jobs.send('move', { ...sales, id: 'none' })
      await jobs.runOnce()
      return { run: () => jobs.retryDead(), rows }
    },
    1,
    [['jobs'], [], ['id_1', 'id_2']],
  ],
  [
    'run of a job queue, which then takes no other job',
    async (place) => {
      const { jobs, rows } = await queued(place)
      await jobs.send('move', { ...sales, id: '1' })
      await jobs.send('move', { ...sales, id: '2' }, 1)
      const run = async () =>
        jobs.run(new AbortController().signal).catch(({ code }: { code: string }) => code)
      return { run, rows }
    },
    'AccountClosed',
    [['jobs'], ['id_1'], ['id_2']],
  ],
  [
    'insert of period tables',
    async (place) => {
      const { here, names } = await withLogins(place)
      const at = new Date('2026-11-22T09:00:00Z')
      return { run: async () => (await here.insert({ user: 'jones', at })).user, rows: names }
    },
    'jones',
    ['Logins20261120', 'Logins20261121', 'Logins20261122'],
  ],
  [
    'query of period tables',
    async (place) => {
      const { here } = await withLogins(place)
      const span = { from: new Date('2026-11-01'), until: new Date('2026-12-01') }
      return { run: async () => (await collected(here.query(span))).map(({ at }) => at) }
    },
    times,
  ],
  [
    'dropBefore of period tables',
    async (place) => {
      const { here, names } = await withLogins(place)
      return { run: () => here.dropBefore(new Date('2026-11-22')), rows: names }
    },
    ['Logins20261120', 'Logins20261121'],
    [],
  ],
]

describe('close with drain during an operation of several calls', () => {
  const kinds = [...ofIndexes, ...ofKeptRows, ...ofValues, ...ofWorkers]

  it.each(kinds)('completes %s', async (_, begin, result, rows) => {
    const place = closing()
    const begun = await begin(place)
    const [ended, requests] = await place.closeWithin(begun.run)
    expect(ended).toEqual(result)
    expect(requests).toBeGreaterThan(1)
    expect(await begun.rows?.()).toEqual(rows)
    await expect(place.account.table('staff').find(['a', 'b'])).rejects.toMatchObject({
      failure: 'closed',
    })
  })
})
