import { expect, it } from 'vitest'
import { bulkTable, row, rows } from './bulk-account.ts'

it('an operation stores what its object held when it was added', async () => {
  const { table, writes, stored } = await bulkTable()
  const log = table.buffered()
  const one = row('day', 'one', 1)
  const adding = log.insert(one)
  one.set('n', 2)
  await adding
  expect(log.size).toBe(1)
  await log.close()
  expect(await stored()).toEqual({ 'day/one': 1 })
  expect([log.size, log.bytes, writes()]).toEqual([0, 0, [1]])
})

it('an operation that is rejected is not buffered, so its repetition is applied once', async () => {
  const { table, writes, stored } = await bulkTable()
  const log = table.buffered()
  const invalid = row('day/', 'one', 1) // a key must not contain "/"
  await expect(log.insert(invalid)).rejects.toMatchObject({ code: 'InvalidEntityKey' })
  await expect(log.insert(invalid)).rejects.toMatchObject({ code: 'InvalidEntityKey' })
  expect([log.size, log.bytes]).toEqual([0, 0])
  await log.insert(row('day', 'one', 1))
  await log.close()
  expect([await stored(), writes()]).toEqual([{ 'day/one': 1 }, [1]])
})

it('an operation that the service rejects is reported once, and not sent again', async () => {
  const { table, writes, stored } = await bulkTable()
  await table.insert(row('day', 'taken', 0))
  const log = table.buffered()
  await log.insert(row('day', 'taken', 1))
  await expect(log.flush()).rejects.toMatchObject({ name: 'BulkError' })
  const sent = writes().length
  await log.close()
  expect([writes().length, await stored()]).toEqual([sent, { 'day/taken': 0 }])
})

it('operations are added in their order, and a close waits for them', async () => {
  const { table, stored } = await bulkTable()
  const log = table.buffered()
  const twice = row('day', 'twice', 1)
  const adding = [log.insert(twice), ...rows('day', 2).map((each) => log.insert(each))]
  twice.set('n', 2)
  adding.push(log.merge(twice))
  await Promise.all(adding)
  await log.close()
  expect(await stored()).toEqual({ 'day/twice': 2, 'day/00000': 0, 'day/00001': 1 })
})

it('operations that are not awaited are written by a close', async () => {
  const { table, stored } = await bulkTable()
  const log = table.buffered()
  const adding = rows('day', 3).map((each) => log.insert(each))
  await log.close()
  await Promise.all(adding)
  expect(Object.keys(await stored())).toHaveLength(3)
})
