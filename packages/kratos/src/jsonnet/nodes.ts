export type Node =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'self' }
  | { readonly kind: 'super'; readonly index: Node }
  | { readonly kind: 'in super'; readonly name: Node }
  | { readonly kind: 'array'; readonly items: readonly Node[] }
  | { readonly kind: 'array for'; readonly item: Node; readonly clauses: readonly Clause[] }
  | ObjectNode
  | { readonly kind: 'object for'; readonly object: ObjectNode; readonly clauses: readonly Clause[] }
  | { readonly kind: 'index'; readonly operand: Node; readonly index: Node }
  | { readonly kind: 'slice'; readonly operand: Node; readonly bounds: readonly (Node | undefined)[] }
  | { readonly kind: 'call'; readonly fn: Node; readonly args: readonly Argument[] }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Node }
  | { readonly kind: 'if'; readonly test: Node; readonly consequent: Node; readonly alternate: Node }
  | { readonly kind: 'local'; readonly binds: readonly Bind[]; readonly body: Node }
  | FunctionNode
  | { readonly kind: 'error'; readonly message: Node }
  | { readonly kind: 'assert'; readonly assertion: Assertion; readonly body: Node }

export interface ObjectNode {
  readonly kind: 'object'
  readonly fields: readonly FieldNode[]
  readonly locals: readonly Bind[]
  readonly asserts: readonly Assertion[]
}

export interface FunctionNode {
  readonly kind: 'function'
  readonly params: readonly Parameter[]
  readonly body: Node
}

export interface Parameter {
  readonly name: string
  readonly fallback?: Node
}

export interface Argument {
  readonly name?: string
  readonly value: Node
}

export interface Bind {
  readonly name: string
  readonly value: Node
}

export interface Assertion {
  readonly test: Node
  readonly message?: Node
}

export interface FieldNode {
  readonly name: Node
  readonly isPlus: boolean
  readonly visibility: Visibility
  readonly value: Node
}

export type Visibility = 'inherited' | 'hidden' | 'visible'

export type Clause =
  | { readonly kind: 'for'; readonly name: string; readonly list: Node }
  | { readonly kind: 'if'; readonly test: Node }
