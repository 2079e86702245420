import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

/** Loads the packages anew, as a CommonJS copy beside an ESM one. */
async function copy() {
  vi.resetModules()
  return {
    rowkey: await import('rowkey'),
    rest: await import('@rowkey/rest'),
    local: await import('@rowkey/local'),
    odata: await import('@rowkey/odata'),
  }
}

const one = await copy()
const other = await copy()

const personOf = ({ rowkey }: typeof one, { rowkey: keys }: typeof one) =>
  rowkey.defineEntity({
    name: 'people',
    partitionKey: keys.key`${'last'}`,
    rowKey: keys.key`${'first'}`,
    schema: z.object({ last: z.string(), first: z.string(), age: z.int().optional() }),
  })

describe('two copies of the packages', () => {
  it('are two', () => {
    expect(one.rowkey.gt).not.toBe(other.rowkey.gt)
    expect(one.rest.TransportError).not.toBe(other.rest.TransportError)
  })

  it('recognize the errors of each other, each by its class', () => {
    const error = new other.rest.TransportError({ message: 'x', mayHaveApplied: false })
    expect(error).toBeInstanceOf(one.rest.TransportError)
    expect(error).toBeInstanceOf(one.rowkey.RowkeyError)
    expect(error).not.toBeInstanceOf(one.rest.ServiceError)
    const missing = new other.rest.EntityNotFoundError({
      message: 'x',
      status: 404,
      code: 'ResourceNotFound',
      operation: 'getEntity',
      mayHaveApplied: false,
      requestId: undefined,
    } as never)
    expect(missing).toBeInstanceOf(one.rest.EntityNotFoundError)
    expect(missing).toBeInstanceOf(one.rest.ServiceError)
    expect(missing).not.toBeInstanceOf(one.rest.TableNotFoundError)
    class Own extends one.rowkey.RowkeyError {
      readonly code = 'Own'
    }
    expect(missing).not.toBeInstanceOf(Own)
    expect(new Own({ message: 'x' })).toBeInstanceOf(Own)
  })

  it('retry a transport and a service of the other copy', async () => {
    const local = other.local.localTableService()
    let attempts = 0
    const account = one.rowkey.connect(local.connectionString(), {
      sleep: async () => {},
      transport: async (request, limits) => {
        attempts += 1
        if (attempts % 2 === 1) {
          throw new other.rest.TransportError({ message: 'lost', mayHaveApplied: false })
        }
        return local.transport(request, limits)
      },
    })
    await account.createTable('people')
    expect(attempts).toBe(2)
  })

  it('take operands, raw filters, typed values, templates, models and keys of the other copy', async () => {
    const local = one.local.localTableService()
    const credential = new other.rest.SharedKeyCredential({
      account: 'devstoreaccount1',
      key: other.rest.DEVELOPMENT_KEY,
    })
    const account = one.rowkey.connect({
      endpoint: 'http://127.0.0.1:10002/devstoreaccount1',
      credential,
      transport: local.transport,
    })
    const people = account.table('people')
    await people.create()
    await people.insert(new other.odata.DynamicEntity('Smith', 'Ann', { age: 30 }) as never)
    const found = (condition: object) =>
      people
        .query()
        .where({ partitionKey: 'Smith' })
        .where(condition as never)
        .count()
    expect(await found({ age: other.rowkey.gt(18) })).toBe(1)
    expect(await found({ age: other.rowkey.EntityProperty.int32(30) })).toBe(1)
    expect(await found(other.rowkey.rawFilter('age gt 18'))).toBe(1)
    expect(await found(other.rowkey.filter`age gt ${40}`)).toBe(0)
    for (const model of [personOf(other, other), personOf(one, other)]) {
      expect(await account.table(model).get(['Smith', 'Ann'])).toMatchObject({ first: 'Ann' })
      const adults = account.table(model).query().where({ last: 'Smith' })
      expect(await adults.where({ age: other.rowkey.lt(40) }).count()).toBe(1)
    }
    const sas = people.sas({ permissions: 'r', expiry: new Date(Date.UTC(2099, 0)) })
    expect(sas.token).toContain('sig=')
  })

  it('do not take a record from outside for a raw filter', () => {
    const record = JSON.parse(JSON.stringify(other.rowkey.rawFilter('age gt 18')))
    expect(() => other.odata.printFilter(Object.freeze(record))).toThrow(/make it with rawFilter/)
    expect(() => one.odata.printFilter(other.rowkey.rawFilter('age gt 18'))).not.toThrow()
  })
})
