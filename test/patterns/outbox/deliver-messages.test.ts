import { declareOutbox } from '@rowkey/patterns'
import { AbortError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { type Announced, announcedTo, type MessageHandler } from '../announcing.ts'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'

const sales = { department: 'Sales' }
const now: Announced = { table: 'employees', partitionKey: 'Sales' }

/** Employees whose writes send their ids, and the jobs that are announced. */
async function posted({ attempts = 20 } = {}) {
  const opened = office()
  const { account } = opened
  const jobs: { readonly partition: Announced; readonly delay: number }[] = []
  const program = () => {
    const Employee = defineEmployee()
    const outbox = declareOutbox(Employee, {
      attempts,
      messages: ({ after }): readonly number[] => [after?.id ?? 0],
      ...announcedTo(async (partition, delay) => void jobs.push({ partition, delay })),
    })
    return { Employee, outbox }
  }
  const { Employee, outbox } = program()
  const employees = account.table(Employee)
  await employees.create()
  return {
    opened,
    account,
    jobs,
    employees,
    other: program(),
    outbox: outbox.on(account),
    insert: (id: number) => employees.insert({ ...jones, id, email: `${id}` }),
  }
}

const succeed: MessageHandler<number> = async () => {}
const fail: MessageHandler<number> = async () => {
  throw new TypeError('failed')
}

describe('a message whose handler failed', () => {
  it('waits 1 s, and then 2 s', async () => {
    const { opened, outbox, jobs, insert } = await posted()
    await insert(1)
    for (const wait of [1_000, 2_000]) {
      await outbox.deliver(jobs.at(-1)?.partition ?? now, fail)
      expect(jobs.at(-1)?.delay).toBe(wait)
      opened.now += wait - 1
      expect(await outbox.deliver(now, succeed)).toBe(0)
      opened.now += 1
    }
    expect(await outbox.deliver(now, succeed)).toBe(1)
    expect(await outbox.pending(sales)).toEqual([])
  })

  it('waits for up to ten minutes, and the message of a later write does not wait with it', async () => {
    const { opened, outbox, jobs, insert } = await posted()
    await insert(1)
    for (let attempt = 1; attempt <= 11; attempt++) {
      const { partition, delay } = jobs.at(-1) ?? { partition: now, delay: 0 }
      opened.now += delay
      await outbox.deliver(partition, fail)
    }
    expect(jobs.at(-1)?.delay).toBe(600_000)
    const announced = jobs.length
    opened.now += 400_000
    for (const id of [2, 3]) await insert(id)
    expect(jobs).toHaveLength(announced + 1)
    expect(await outbox.deliver(jobs.at(-1)?.partition ?? now, succeed)).toBe(2)
    // The first message is tried again when it was to be.
    expect(jobs.at(-1)?.delay).toBe(200_000)
    expect(await outbox.pending(sales)).toHaveLength(1)
  })

  it('is not counted as tried when its handler finds the account closed', async () => {
    const { account, opened, other, outbox, insert } = await posted({ attempts: 1 })
    await insert(1)
    let closed: Promise<void> | undefined
    const delivering = outbox.deliver(now, async () => {
      closed = account.close({ drain: true })
      await account.table('employees').find(['Sales', 'empid_000001'])
    })
    await expect(delivering).rejects.toMatchObject({ code: 'AccountClosed' })
    await closed
    const next = other.outbox.on(opened.rival())
    expect(await next.deadLetters(sales)).toEqual([])
    expect(await next.deliver(now, succeed)).toBe(1)
  })

  it('is not counted as tried when the signal of its delivery aborted', async () => {
    const { outbox, insert } = await posted({ attempts: 1 })
    await insert(1)
    const stop = new AbortController()
    const stopped: MessageHandler<number> = async () => {
      stop.abort()
      throw new RangeError('stopped')
    }
    const delivering = outbox.deliver(now, stopped, { options: { signal: stop.signal } })
    await expect(delivering).rejects.toThrow('stopped')
    expect(await outbox.deadLetters(sales)).toEqual([])
    expect(await outbox.deliver(now, succeed)).toBe(1)
  })
})

describe('a job', () => {
  it('that is delivered again after its end announces nothing', async () => {
    const { outbox, jobs, insert } = await posted()
    await insert(1)
    const [job] = jobs
    expect(await outbox.deliver(job?.partition ?? now, succeed)).toBe(1)
    expect(await outbox.deliver(job?.partition ?? now, succeed)).toBe(0)
    expect(jobs).toHaveLength(1)
  })

  it('is announced at once by retryDead, although another message waits for a later one', async () => {
    const { opened, outbox, jobs, insert } = await posted({ attempts: 2 })
    await insert(1)
    await outbox.deliver(jobs.at(-1)?.partition ?? now, fail)
    opened.now += 1_000
    await outbox.deliver(jobs.at(-1)?.partition ?? now, fail)
    await insert(2)
    await outbox.deliver(jobs.at(-1)?.partition ?? now, fail)
    expect(jobs.at(-1)?.delay).toBe(1_000)
    expect(await outbox.retryDead(sales)).toBe(1)
    expect(jobs.at(-1)?.delay).toBe(0)
  })

  it('is announced by retryDead when the last one is lost', async () => {
    const { opened, outbox, jobs, insert } = await posted({ attempts: 1 })
    await insert(1)
    await outbox.deliver(jobs.at(-1)?.partition ?? now, fail)
    await insert(2)
    opened.now += 300_000
    const announced = jobs.length
    expect(await outbox.retryDead(sales)).toBe(1)
    expect(jobs).toHaveLength(announced + 1)
  })
})

it('a dead letter that another program sends again is sent once', async () => {
  const { opened, other, outbox, insert } = await posted({ attempts: 1 })
  await insert(1)
  await outbox.deliver(now, fail)
  const rival = other.outbox.on(opened.rival())
  opened.between(isBatch, () => rival.retryDead(sales))
  expect(await outbox.retryDead(sales)).toBe(0)
  expect(await outbox.pending(sales)).toEqual([1])
})

it('two programs that write a partition in turn read its head once for each write', async () => {
  const { opened, other, insert } = await posted()
  const rival = opened.rival().table(other.Employee)
  await insert(1)
  await rival.insert({ ...jones, id: 2, email: '2' })
  opened.sent.length = 0
  await insert(3)
  expect(opened.sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST'])
})

it('deliver ends with its signal while it waits for another delivery of the partition', async () => {
  const { outbox, insert } = await posted()
  await insert(1)
  let begin = (): void => {}
  let end = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const pending = new Promise<void>((resolve) => {
    end = resolve
  })
  const first = outbox.deliver(now, () => {
    begin()
    return pending
  })
  await begun
  const stop = new AbortController()
  const second = outbox.deliver(now, succeed, { options: { signal: stop.signal } })
  stop.abort()
  await expect(second).rejects.toThrow(AbortError)
  end()
  expect(await first).toBe(1)
})

it('deliver says that something may have been applied once a handler has begun', async () => {
  const { outbox, insert } = await posted()
  await insert(1)
  const stop = new AbortController()
  const options = { signal: stop.signal }
  const deliver = () => outbox.deliver(now, async () => stop.abort(), { options })
  await expect(deliver()).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: true })
  await expect(deliver()).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
})

it('deliver goes on after any number of conflicts, if it handles messages in between', async () => {
  const { account, outbox, insert } = await posted()
  for (let id = 1; id <= 24; id++) await insert(id)
  const rows = account.table('employees')
  // Another worker has removed each message before this one is done with it.
  const delivering = outbox.deliver(now, async (id) => {
    const all = await rows.query().where({ partitionKey: 'Sales' }).toArray()
    const message = all.find((row) => row.get('Message') !== undefined)
    await rows.delete(['Sales', message?.rowKey ?? ''], { etag: '*' })
    if (Number(id) % 2 === 1) throw new RangeError('failed')
  })
  expect(await delivering).toBe(12)
  expect(await outbox.pending(sales)).toEqual([])
})
