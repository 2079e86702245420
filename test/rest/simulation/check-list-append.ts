import type { AppendHistory, AppendTransaction } from './list-append.ts'

/** What a history of appends can show that no order of its transactions explains. */
export type AppendAnomaly =
  | 'phantom'
  | 'applied twice'
  | 'lost append'
  | 'aborted read'
  | 'torn transaction'
  | 'incompatible order'
  | 'cycle'

/**
 * Looks for anomalies in a history of list-append transactions. A list shows the order of its appends, so
 * the transactions that follow one another are known: write after write, read after write, write after
 * read, and in real time. A cycle among them shows that no order explains the history.
 */
export function checkListAppend({ transactions, final }: AppendHistory): Set<AppendAnomaly> {
  const found = new Set<AppendAnomaly>()
  const writers = new Map<number, AppendTransaction>()
  for (const each of transactions) for (const n of each.appends.values()) writers.set(n, each)
  for (const list of final.values()) {
    if (new Set(list).size < list.length) found.add('applied twice')
    for (const n of list) {
      const writer = writers.get(n)
      if (writer === undefined) found.add('phantom')
      if (writer?.ending === 'fail') found.add('aborted read')
    }
  }
  for (const each of transactions) checkOne(each, final, found)
  if (found.size === 0 && hasCycle(followersIn(transactions, final, writers))) found.add('cycle')
  return found
}

function checkOne(
  { ending, appends, reads }: AppendTransaction,
  final: AppendHistory['final'],
  found: Set<AppendAnomaly>,
): void {
  const stored = [...appends].filter(([key, n]) => final.get(key)?.includes(n))
  if (ending === 'ok' && stored.length < appends.size) found.add('lost append')
  if (stored.length > 0 && stored.length < appends.size) found.add('torn transaction')
  for (const [key, list] of reads) {
    const isPrefix = list.every((n, at) => final.get(key)?.[at] === n)
    // What a transaction read that was not applied counts too.
    if (!isPrefix) found.add('incompatible order')
  }
}

/** A transaction, or a moment between transactions. */
type Node = AppendTransaction | { readonly moment: number }

function followersIn(
  transactions: readonly AppendTransaction[],
  final: AppendHistory['final'],
  writers: ReadonlyMap<number, AppendTransaction>,
): ReadonlyMap<Node, readonly Node[]> {
  const followers = new Map<Node, Node[]>()
  const follow = (first: Node | undefined, second: Node | undefined): void => {
    if (first === undefined || second === undefined || first === second) return
    const after = followers.get(first) ?? []
    after.push(second)
    followers.set(first, after)
  }
  for (const list of final.values()) {
    for (const [at, n] of list.entries()) follow(writers.get(list[at - 1] ?? 0), writers.get(n))
  }
  const applied = transactions.filter((each) => isApplied(each, final))
  for (const each of applied) {
    for (const [key, list] of each.reads) {
      follow(writers.get(list.at(-1) ?? 0), each)
      follow(each, writers.get(final.get(key)?.[list.length] ?? 0))
    }
  }
  followInTime(applied, follow)
  return followers
}

function isApplied({ ending, appends }: AppendTransaction, final: AppendHistory['final']): boolean {
  if (ending !== 'unknown') return ending === 'ok'
  return [...appends].some(([key, n]) => final.get(key)?.includes(n))
}

/** Moments in a row need fewer edges than all pairs of transactions. */
function followInTime(
  transactions: readonly AppendTransaction[],
  follow: (first: Node, second: Node) => void,
): void {
  const events = transactions
    .flatMap((each) => [
      { at: each.began, each, isBegin: true },
      { at: each.ended, each, isBegin: false },
    ])
    .filter(({ at }) => Number.isFinite(at))
    .sort((one, other) => one.at - other.at)
  let moment: Node = { moment: 0 }
  for (const { at, each, isBegin } of events) {
    if (isBegin) {
      follow(moment, each)
      continue
    }
    const next = { moment: at }
    follow(moment, next)
    follow(each, next)
    moment = next
  }
}

/** Tells whether some node follows itself; takes nodes away that nothing precedes. */
function hasCycle(followers: ReadonlyMap<Node, readonly Node[]>): boolean {
  const preceding = new Map<Node, number>()
  for (const [node, after] of followers) {
    preceding.set(node, preceding.get(node) ?? 0)
    for (const each of after) preceding.set(each, (preceding.get(each) ?? 0) + 1)
  }
  const free = [...preceding].filter(([, count]) => count === 0).map(([node]) => node)
  let taken = 0
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    taken++
    for (const each of followers.get(node) ?? []) {
      const left = (preceding.get(each) ?? 0) - 1
      preceding.set(each, left)
      if (left === 0) free.push(each)
    }
  }
  return taken < preceding.size
}
