/** Notes which methods of a client a test has called, to know at the end whether one was left out. */
export class CallWatch {
  readonly #called = new Set<string>()

  /** The same client; a call of one of its methods is noted under `label`. */
  watch<Client extends object>(label: string, client: Client): Client {
    const watched = new Proxy(client, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function' || typeof name === 'symbol') return member
        return (...values: unknown[]) => {
          this.#called.add(`${label}.${name}`)
          const result: unknown = Reflect.apply(member, target, values)
          // What returns itself to be called on is watched on.
          return result === target ? watched : result
        }
      },
    })
    return watched
  }

  /** Returns the methods that no test has called, each as `label.name`. */
  uncalled(methods: readonly string[]): readonly string[] {
    return methods.filter((method) => !this.#called.has(method))
  }
}

/** The methods that an object has itself, but for those whose name says that they are not for us. */
export function methodsOf(label: string, holder: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(
      ([name, { value }]) => typeof value === 'function' && /^(?!constructor$)[a-z]/.test(name),
    )
    .map(([name]) => `${label}.${name}`)
}

/** The public methods of a class as its declaration file names them. */
export function declaredMethods(label: string, declaration: string): readonly string[] {
  const [, members = ''] =
    new RegExp(`^export declare class ${label} {(.*?)^}`, 'ms').exec(declaration) ?? []
  const names = members.matchAll(/^ {4}(?:static )?(?!constructor\b)(\w+)[<(]/gm)
  return [...new Set(Array.from(names, ([, name]) => `${label}.${name}`))]
}
