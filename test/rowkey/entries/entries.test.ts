import * as rowkey from 'rowkey'
import * as encryption from 'rowkey/encryption'
import * as otherClients from 'rowkey/other-clients'
import * as testing from 'rowkey/testing'
import { describe, expect, it } from 'vitest'

describe('the entries of rowkey', () => {
  it('contain encryption, values of other clients and test transports, and no name twice', () => {
    expect(Object.keys(testing).every((name) => name.endsWith('Transport'))).toBe(true)
    const others = [encryption, otherClients, testing].flatMap((entry) => Object.keys(entry))
    expect(others.filter((name) => name in rowkey)).toEqual([])
  })

  it('let an error of a call be recognized by its class', async () => {
    const call = rowkey.connect('memory:').table('people').delete(['a', 'b'])
    const error = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(rowkey.InputError)
    expect(error).toBeInstanceOf(rowkey.RowkeyError)
  })
})
