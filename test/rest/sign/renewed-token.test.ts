import { describe, expect, it, vi } from 'vitest'
import { type IssuedToken, RenewedToken } from '../../../packages/rest/src/sign/renewed-token.ts'

/** Tokens `1`, `2`, … that are good for 30 and to be renewed after 15; each is issued by hand. */
function byHand() {
  const asked: { resolve(issued: IssuedToken<string>): void; reject(error: unknown): void }[] = []
  const onError = vi.fn()
  const renewed = new RenewedToken<string>(
    () => new Promise((resolve, reject) => asked.push({ resolve, reject })),
    onError,
  )
  const issue = async (issued: Partial<IssuedToken<string>> = {}) => {
    asked.at(-1)?.resolve({ token: `${asked.length}`, renewAt: 15, expires: 30, ...issued })
    await settled()
  }
  const fail = async (error: unknown) => {
    asked.at(-1)?.reject(error)
    await settled()
  }
  return { renewed, asked, onError, issue, fail }
}

/** Lets what has been resolved be heard of; no clock is involved. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('RenewedToken', () => {
  it('R-77: gets the first token once for all waiting calls', async () => {
    const { renewed, asked, issue } = byHand()
    const waiting = [renewed.at(0), renewed.at(1), renewed.at(2)]
    await issue()
    expect(await Promise.all(waiting)).toEqual(['1', '1', '1'])
    expect(asked).toHaveLength(1)
  })

  it('R-77: returns a valid token at once, and requests no other early', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    await issue()
    expect([renewed.at(0), renewed.at(14)]).toEqual(['1', '1'])
    expect(asked).toHaveLength(1)
  })

  it('R-77: renews once when it is time, while calls use the current token', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    await issue()
    expect([renewed.at(15), renewed.at(16), renewed.at(29)]).toEqual(['1', '1', '1'])
    expect(asked).toHaveLength(2)
    await issue({ renewAt: 30, expires: 45 })
    expect(renewed.at(17)).toBe('2')
    expect(renewed.at(29)).toBe('2')
    expect(asked).toHaveLength(2)
  })

  it('R-77: waits for the renewal after the token has expired', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    await issue()
    void renewed.at(20)
    const late = renewed.at(30)
    expect(late).toBeInstanceOf(Promise)
    await issue()
    expect(await late).toBe('2')
    expect(asked).toHaveLength(2)
  })

  it('R-77: keeps the current token when a renewal fails, reports it, and retries later', async () => {
    const { renewed, asked, onError, issue, fail } = byHand()
    void renewed.at(0)
    await issue()
    void renewed.at(15)
    void renewed.at(15)
    const failure = new Error('no network')
    await fail(failure)
    expect(onError.mock.calls).toEqual([[failure]])
    expect([renewed.at(15), renewed.at(22)]).toEqual(['1', '1'])
    expect(asked).toHaveLength(2)
    expect(renewed.at(23)).toBe('1')
    expect(asked).toHaveLength(3)
    await issue()
    expect(renewed.at(24)).toBe('3')
  })

  it('retries after at most 15 minutes for a token without expiry', async () => {
    const { renewed, asked, issue, fail } = byHand()
    void renewed.at(0)
    await issue({ expires: Infinity })
    void renewed.at(15)
    await fail(new Error('no network'))
    expect([renewed.at(900_000), asked.length]).toEqual(['1', 2])
    expect([renewed.at(900_015), asked.length]).toEqual(['1', 3])
  })

  it('R-77: fails all waiting calls without a valid token, and asks again for the next', async () => {
    const { renewed, asked, onError, issue, fail } = byHand()
    const waiting = Promise.allSettled([renewed.at(0), renewed.at(1)])
    const failure = new Error('no network')
    await fail(failure)
    expect(await waiting).toEqual(Array(2).fill({ status: 'rejected', reason: failure }))
    expect(onError).not.toHaveBeenCalled()
    const next = renewed.at(2)
    await issue()
    expect(await next).toBe('2')
    expect(asked).toHaveLength(2)
  })

  it.each([
    () => {
      throw new Error('listener')
    },
    () => Promise.reject(new Error('listener')),
  ])('survives a listener that throws or rejects', async (listener) => {
    const { renewed, onError, issue, fail } = byHand()
    onError.mockImplementation(listener)
    void renewed.at(0)
    await issue()
    void renewed.at(15)
    await fail(new Error('no network'))
    expect(onError).toHaveBeenCalledOnce()
    expect(renewed.at(16)).toBe('1')
  })

  it('drops only the named token', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    await issue()
    renewed.drop('0')
    expect([renewed.at(1), asked.length]).toEqual(['1', 1])
    renewed.drop('1')
    const next = renewed.at(2)
    renewed.drop('1')
    void renewed.at(3)
    expect(asked).toHaveLength(2)
    await issue()
    expect(await next).toBe('2')
  })

  it('gets another token after forget, even during a renewal', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    await issue()
    void renewed.at(15)
    renewed.forget()
    await issue()
    const next = renewed.at(16)
    expect(asked).toHaveLength(3)
    await issue()
    expect(await next).toBe('3')
    expect(renewed.at(17)).toBe('3')
  })

  it('starts another renewal after a call gave up the previous one', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    renewed.giveUp(0)
    const next = renewed.at(1)
    expect(asked).toHaveLength(2)
    await issue()
    expect([await next, renewed.at(2)]).toEqual(['2', '2'])
  })

  it('goes on after a call gave up that no renewal was pending for', async () => {
    const { renewed, issue } = byHand()
    renewed.giveUp(0)
    void renewed.at(0)
    await issue()
    renewed.giveUp(1)
    expect(renewed.at(1)).toBe('1')
  })

  it('shares a renewal that began later than the call that gives up', () => {
    const { renewed, asked } = byHand()
    void renewed.at(2)
    renewed.giveUp(1)
    void renewed.at(3)
    expect(asked).toHaveLength(1)
  })

  it('shares a renewal without end for 30 seconds, with and without a current token', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    void renewed.at(29_999)
    expect(asked).toHaveLength(1)
    void renewed.at(30_000)
    expect(asked).toHaveLength(2)
    await issue({ renewAt: 30_015, expires: 90_000 })
    expect([renewed.at(30_015), renewed.at(60_014), asked.length]).toEqual(['2', '2', 3])
    expect([renewed.at(60_015), asked.length]).toEqual(['2', 4])
  })

  it('uses a late token when no other is valid for longer', async () => {
    const { renewed, asked } = byHand()
    void renewed.at(0)
    void renewed.at(30_000)
    asked[0]?.resolve({ token: 'late', renewAt: 40_000, expires: 50_000 })
    await settled()
    expect(renewed.at(30_001)).toBe('late')
    asked[1]?.resolve({ token: 'later', renewAt: 70_000, expires: 80_000 })
    await settled()
    expect(renewed.at(30_002)).toBe('later')
  })

  it('keeps the token that is valid for longer when an older renewal ends last', async () => {
    const { renewed, asked, issue } = byHand()
    void renewed.at(0)
    void renewed.at(30_000)
    await issue({ renewAt: 70_000, expires: 80_000 })
    asked[0]?.resolve({ token: 'late', renewAt: 40_000, expires: 50_000 })
    await settled()
    expect(renewed.at(30_001)).toBe('2')
  })
})
