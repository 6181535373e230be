// SPDX-License-Identifier: Apache-2.0
// What Sources/WebExtension uses of the browsers' extension API, and of the web platform beyond TypeScript 4.8's library.

declare namespace chrome {
  interface Event<Listener> {
    addListener(listener: Listener): void;
  }

  namespace tabs {
    interface Tab {
      id?: number;
      url?: string;
      incognito?: boolean;
    }
    function query(what: { active: boolean; currentWindow: boolean }): Promise<Tab[]>;
    function get(id: number): Promise<Tab>;
    function create(how: { url: string }): Promise<Tab>;
    function sendMessage(id: number, message: object, options: { frameId?: number }): Promise<any>;
    const onRemoved: Event<(id: number) => void>;
    const onUpdated: Event<(id: number, change: { status?: string }) => void>;
  }

  namespace i18n {
    function getMessage(name: string, values?: string[]): string;
    function getUILanguage(): string;
  }

  namespace windows {
    interface Window {
      id?: number;
      focused: boolean;
    }
    const WINDOW_ID_NONE: number;
    function getAll(): Promise<Window[]>;
    const onFocusChanged: Event<(id: number) => void>;
    function create(how: { url: string; type: "popup"; width: number; height: number }): Promise<Window | undefined>;
    function remove(id: number): Promise<void>;
    const onRemoved: Event<(id: number) => void>;
  }

  namespace runtime {
    interface MessageSender {
      id?: string;
      tab?: tabs.Tab;
      frameId?: number;
      url?: string;
      origin?: string;
      documentId?: string;
    }
    interface Port {
      name: string;
      sender?: MessageSender;
      error?: { message: string };
      postMessage(message: object): void;
      disconnect(): void;
      onMessage: Event<(message: any) => void>;
      onDisconnect: Event<(port?: Port) => void>;
    }
    const id: string;
    const lastError: { message?: string } | undefined;
    function connect(how: { name: string }): Port;
    function connectNative(name: string): Port;
    function getURL(path: string): string;
    function getManifest(): { version: string };
    function openOptionsPage(): Promise<void>;
    const onConnect: Event<(port: Port) => void>;
    const onMessage: Event<(message: any, sender: MessageSender, respond: (answer: object | string | null) => void) => void>;
    const onInstalled: Event<() => void>;
    const onStartup: Event<() => void>;
  }

  namespace action {
    function setBadgeText(what: { text: string; tabId?: number }): Promise<void>;
    function setTitle(what: { title: string }): Promise<void>;
  }

  namespace alarms {
    function create(name: string, when: { delayInMinutes: number }): Promise<void>;
    const onAlarm: Event<(alarm: { name: string }) => void>;
  }

  namespace permissions {
    interface Permissions {
      permissions: string[];
    }
    function contains(what: Permissions): Promise<boolean>;
    function request(what: Permissions): Promise<boolean>;
    function remove(what: Permissions): Promise<boolean>;
  }

  /** Only where the user has agreed to it. */
  namespace privacy.services {
    interface Setting {
      value: boolean;
      levelOfControl: string;
    }
    const passwordSavingEnabled: { get(what: {}): Promise<Setting>; set(what: { value: boolean }): Promise<void>; clear(what: {}): Promise<void> };
  }

  namespace storage {
    const local: { get(name: string | string[]): Promise<Record<string, any>>; set(values: object): Promise<void> };
    const session: typeof local;
    const onChanged: Event<(changes: Record<string, { newValue?: any }>, area: string) => void>;
  }

  namespace dom {
    function openOrClosedShadowRoot(element: HTMLElement | Element): ShadowRoot | null;
  }

  /** In Chromium alone. */
  const offscreen: undefined | {
    createDocument(how: { url: string; reasons: string[]; justification: string }): Promise<void>;
    closeDocument(): Promise<void>;
  };

  namespace contextMenus {
    interface Item {
      id: string;
      title: string;
      parentId?: string;
      contexts: readonly "editable"[];
      documentUrlPatterns: string[];
    }
    function create(item: Item): void;
    function removeAll(then: () => void): void;
    const onClicked: Event<(click: { menuItemId: string | number; frameId?: number }, tab?: tabs.Tab) => void>;
  }

  namespace commands {
    interface Command {
      name?: string;
      description?: string;
      shortcut?: string;
    }
    function getAll(): Promise<Command[]>;
    /** In Firefox, from 137 on. */
    const openShortcutSettings: undefined | (() => Promise<void>);
    const onCommand: Event<(command: string, tab?: tabs.Tab) => void>;
  }

  namespace webRequest {
    interface Details {
      requestId: string;
      tabId: number;
      url: string;
      /** In Chromium: the origin of the document that requests it. */
      initiator?: string;
      /** In Firefox: the address of that document. */
      originUrl?: string;
      timeStamp: number;
    }
    interface OnAuthRequiredDetails extends Details {
      isProxy: boolean;
      type: string;
      challenger: { host: string; port: number };
    }
    interface Filter {
      urls: string[];
      types: readonly "main_frame"[];
    }
    interface WebRequestEvent<Listener> {
      addListener(listener: Listener, filter: Filter, extra?: string[]): void;
    }
    const onBeforeRequest: WebRequestEvent<(details: Details) => void>;
    const onBeforeRedirect: WebRequestEvent<(details: Details & { redirectUrl: string }) => void>;
    const onCompleted: WebRequestEvent<(details: Details) => void>;
    const onErrorOccurred: WebRequestEvent<(details: Details) => void>;
    const onAuthRequired: WebRequestEvent<(details: OnAuthRequiredDetails, respond: (answer: object | string | null) => void) => void>;
  }
}

interface Window {
  readonly credentialless?: boolean;
  readonly fence?: object | null;
}
interface Element {
  /** In Firefox. */
  readonly openOrClosedShadowRoot?: ShadowRoot | null;
  readonly currentCSSZoom?: number;
}
interface MouseEvent {
  /** In Firefox: 0 for a click of no device. */
  readonly mozInputSource?: number;
}
interface Element {
  /** In Chromium from 133 on, in Firefox from 144 on. */
  moveBefore?(node: Node, before: Node | null): void;
  checkVisibility?(how: { contentVisibilityAuto?: boolean; opacityProperty?: boolean; visibilityProperty?: boolean }): boolean;
}
interface HTMLElement {
  popover: string | null;
  showPopover(): void;
  hidePopover(): void;
  checkVisibility?(how: { contentVisibilityAuto?: boolean; opacityProperty?: boolean; visibilityProperty?: boolean }): boolean;
}
interface CSSStyleDeclaration {
  readonly zoom?: string;
}
interface PerformanceResourceTiming {
  readonly responseStatus?: number;
}
interface String {
  toWellFormed?(): string;
}
interface IntersectionObserverEntry {
  readonly isVisible: boolean;
}
interface IntersectionObserverInit {
  trackVisibility?: boolean;
  delay?: number;
}
