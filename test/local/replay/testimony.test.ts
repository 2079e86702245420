import { type LocalListener, type LocalTableService, localTableService } from '@rowkey/local'
import type { Flavour } from '@rowkey/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Expected, readTestimonies, type Testimony, Witness } from './testimony.ts'

/** Behaviours on thin evidence, which the embedded service does not have. */
const THIN: Readonly<Record<string, string>> = {
  'S-I18': 'one witness; the documents name KeyValueTooLarge for a key of more than 1 KiB',
  'S-I19': 'one witness of low confidence; the documents name KeyValueTooLarge',
  'S-B03': 'one dump, in which the first operation failed',
  'S-B10': 'low confidence; other recordings have the index',
  'C-14': 'one word of a maintainer; how large a text may be is not known',
}

const testimonies = readTestimonies()

it('R-43: all testimonies are played, but for eight that no request can show', () => {
  expect(testimonies).toHaveLength(131)
  expect(testimonies.filter(({ unplayable }) => unplayable !== undefined)).toHaveLength(8)
  expect(Object.keys(THIN).every((id) => testimonies.some((one) => one.id === id))).toBe(true)
})

/** Compares what a testimony says with a response. Cosmos DB does not sort rows. */
function check(expected: Expected, found: Expected & { readonly text: string }, flavour: Flavour) {
  const { message, rows, bodyMatches, absent = [], headers = {}, body, ...rest } = expected
  const { headerMatches = {}, absentHeaders = [], parts, ...others } = rest
  expect(found).toMatchObject(others)
  if (message !== undefined) expect(found.message).toSatisfy((text) => text?.startsWith(message))
  if (rows !== undefined) {
    const order = (names: readonly string[] = []) =>
      flavour === 'cosmos' ? names.toSorted() : names
    expect(order(found.rows)).toEqual(order(rows))
  }
  if (body !== undefined) expect(found.body).toMatchObject(body)
  if (bodyMatches !== undefined) expect(found.text).toMatch(new RegExp(bodyMatches, 's'))
  for (const name of absent) expect(found.body).not.toHaveProperty([name])
  expect(found.headers).toMatchObject(headers)
  for (const [name, pattern] of Object.entries(headerMatches)) {
    expect(found.headers?.[name]).toMatch(new RegExp(pattern))
  }
  for (const name of absentHeaders) expect(found.headers).not.toHaveProperty([name])
  if (parts !== undefined) {
    expect(found.parts).toHaveLength(parts.length)
    for (const [at, part] of parts.entries()) {
      check(part, { text: '', ...found.parts?.[at] }, flavour)
    }
  }
}

describe.each<Flavour>(['storage', 'cosmos'])(
  'testimonies about the real service: %s',
  (flavour) => {
    let local: LocalTableService
    let listener: LocalListener
    let tables = 0

    beforeAll(async () => {
      local = localTableService({ flavour })
      listener = await local.listen({ port: 0 })
    })
    afterAll(() => local.close())

    const played = testimonies.filter(
      ({ service, unplayable }) => service === flavour && unplayable === undefined,
    )
    const play = async (testimony: Testimony) => {
      const witness = new Witness(listener.port, `Tab${++tables}`)
      await witness.prepare(testimony)
      for (const { request, response } of testimony.cases ?? []) {
        check(response, await witness.ask(request), flavour)
      }
      const { follow } = testimony
      if (follow !== undefined) expect(await witness.pages(follow.path)).toEqual(follow.pages)
    }

    for (const testimony of played) {
      const title = `${testimony.id}: ${testimony.behaviour}`
      if (testimony.id in THIN) {
        it(`does not hold here: ${title}`, async () => {
          await expect(play(testimony)).rejects.toThrow()
        })
      } else it(title, () => play(testimony))
    }
  },
)
