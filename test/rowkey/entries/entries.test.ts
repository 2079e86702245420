import * as rowkey from 'rowkey'
import * as encryption from 'rowkey/encryption'
import * as errors from 'rowkey/errors'
import * as lifetime from 'rowkey/lifetime'
import * as otherClients from 'rowkey/other-clients'
import * as testing from 'rowkey/testing'
import { describe, expect, it } from 'vitest'

describe('the entries of rowkey', () => {
  it('export the same classes under the same names', () => {
    const everyday = new Map<string, unknown>(Object.entries(rowkey))
    const shared = Object.entries(errors).filter(([name]) => everyday.has(name))
    expect(shared.length).toBeGreaterThanOrEqual(10)
    for (const [name, value] of shared) expect(everyday.get(name)).toBe(value)
  })

  it('contain errors, encryption, values of other clients and test transports, and otherwise no name twice', () => {
    expect(Object.keys(errors).every((name) => /Error$/.test(name))).toBe(true)
    expect(Object.keys(testing).every((name) => name.endsWith('Transport'))).toBe(true)
    const others = [encryption, lifetime, otherClients, testing].flatMap((entry) =>
      Object.keys(entry),
    )
    expect(others.filter((name) => name in rowkey)).toEqual([])
  })

  it('let an error of a call be recognized by the class of either entry', async () => {
    const call = rowkey.connect('memory:').table('people').delete(['a', 'b'])
    const error = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(errors.InputError)
    expect(error).toBeInstanceOf(rowkey.InputError)
  })
})
