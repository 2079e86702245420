import { expect, it } from 'vitest'
import { loadEngine } from '../../../packages/local/src/durable/engine.ts'

it('a folder without its engine says which package to install', () => {
  const cause = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const load = (): never => {
    throw cause
  }
  expect(() => loadEngine('/data', load)).toThrow(
    expect.objectContaining({
      name: 'StoreError',
      code: 'StoreEngineMissing',
      folder: '/data',
      message: expect.stringContaining('npm install classic-level'),
      cause,
    }),
  )
})
