import { Component, type ReactNode } from 'react'

interface Props {
  /** What to show in the place of the children that failed. */
  fallback: ReactNode
  /** Another value gives the children another chance. */
  resetKey?: string
  children: ReactNode
}

interface State {
  failedAt?: string | undefined
  hasFailed: boolean
}

/** Keeps a fault of one part from taking the rest of the screen with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.failedAt ? null : { failedAt: props.resetKey, hasFailed: false }
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
