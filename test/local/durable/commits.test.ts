import { describe, expect, it } from 'vitest'
import {
  CommitFile,
  CommitQueue,
  readCommitFile,
} from '../../../packages/local/src/durable/commits.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

describe('CommitFile', () => {
  it('keeps the last number that was written', async () => {
    const folder = await temporaryFolder()
    const file = await CommitFile.open(folder, 7)
    expect(await readCommitFile(folder)).toBe(7)
    for (const commits of [8, 123_456]) file.write(commits)
    file.close()
    expect(await readCommitFile(folder)).toBe(123_456)
  })

  it('leaves the number as it was when it cannot be written: the commit itself is stored', async () => {
    const folder = await temporaryFolder()
    const file = await CommitFile.open(folder, 7)
    file.close()
    file.write(8)
    expect(await readCommitFile(folder)).toBe(7)
  })
})

/** A queue that appends to a list, and the commits that it made. */
function growing(): { queue: CommitQueue<string[]>; commits: string[][] } {
  const commits: string[][] = []
  const queue = new CommitQueue<string[]>(async (apply) => {
    const draft: string[] = []
    apply(draft)
    await new Promise((resolve) => setImmediate(resolve))
    commits.push(draft)
  })
  return { queue, commits }
}

describe('CommitQueue', () => {
  it('makes changes in order, and those that wait together in one commit', async () => {
    const { queue, commits } = growing()
    const first = queue.add((draft) => draft.push('a'))
    await Promise.resolve().then(() => undefined)
    const others = ['b', 'c'].map((text) => queue.add((draft) => draft.push(text)))
    expect(await Promise.all([first, ...others])).toEqual([1, 1, 2])
    expect(commits).toEqual([['a'], ['b', 'c']])
  })

  it('resolves a change only after it is stored', async () => {
    const { queue, commits } = growing()
    const stored = await queue.add((draft) => draft.push('a')).then(() => commits.length)
    expect(stored).toBe(1)
  })

  it('keeps the other changes of a commit when one throws', async () => {
    const { queue, commits } = growing()
    const refused = queue.add(() => {
      throw new RangeError('no')
    })
    const made = queue.add((draft) => draft.push('b'))
    await expect(refused).rejects.toThrow('no')
    await expect(made).resolves.toBe(1)
    expect(commits).toEqual([['b']])
  })

  it('rejects a change only after the changes that it saw are stored', async () => {
    const { queue, commits } = growing()
    const made = queue.add((draft) => draft.push('a'))
    const seen = queue.add((draft) => {
      throw new RangeError(`${draft} exists`)
    })
    const stored = await seen.catch(({ message }) => [message, ...commits])
    expect(stored).toEqual(['a exists', ['a']])
    await made
  })

  it('rejects all changes of a failed commit, and continues with the next', async () => {
    let failures = 1
    const queue = new CommitQueue<string[]>(async (apply) => {
      apply([])
      if (failures-- > 0) throw new RangeError('full')
    })
    const together = [queue.add(() => 1), queue.add(() => 2)]
    const outcomes = await Promise.allSettled(together)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(queue.add(() => 3)).resolves.toBe(3)
  })

  it('is drained when nothing waits', async () => {
    const { queue, commits } = growing()
    await queue.drained()
    const made = queue.add((draft) => draft.push('a'))
    await queue.drained()
    expect(commits).toEqual([['a']])
    await made
  })
})
