import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPageFile } from '../../../packages/studio/src/server/page-files.ts'
import { type OpenStudio, openStudio } from '../open-studio.ts'

let studio: OpenStudio

beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio[Symbol.asyncDispose]())

describe('a request', () => {
  it('for a view gets the page without a cookie, so that a link from elsewhere works', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/', '/devstoreaccount1/people?filter=age%20gt%2030']) {
      const { status, text } = await studio.send(path, { headers })
      expect([status, text]).toEqual([200, 'the file index.html'])
    }
  })

  it.each([
    ['/studio.js', 'text/javascript; charset=utf-8', 'the file studio.js'],
    ['/studio.css', 'text/css; charset=utf-8', 'the file studio.css'],
    ['/icon.svg', 'image/svg+xml', 'the file icon.svg'],
    ['/../../package.json', 'text/html; charset=utf-8', 'the file index.html'],
    ['/constructor', 'text/html; charset=utf-8', 'the file index.html'],
  ])('for %s gets %s', async (path, type, body) => {
    const { headers, text } = await studio.send(path)
    expect([headers['content-type'], text]).toEqual([type, body])
  })
})

it('the page names its files below the path of the studio', async () => {
  const folder = new URL('../../../packages/studio/page/', import.meta.url).pathname
  const { body } = await readPageFile('/account/people', folder, '/tables/')
  const page = Buffer.from(body).toString()
  expect(page).toContain('data-base="/tables/"')
  expect(page).toContain('src="/tables/studio.js"')
  expect(page).not.toMatch(/="\/(?!tables\/)/)
})
