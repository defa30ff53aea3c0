/* Fields of objects that are not compiled (events, printed cards), read where they lie in memory.

   mypyc looks such a field up by its name each time that it is read. The interpreter does so once in a place of the
   program: as long as the objects there are of the same class, it knows where the field lies. This does the same; and
   where a place meets several classes, one table for all places knows where their fields lie. */

#if defined(__GNUC__) && __has_include(<CPy.h>) /* the module that only loads the others is compiled without it */

#include <CPy.h>
#include <structmember.h>

typedef struct {
    PyObject *name;       /* which field: `getattr` takes any in one place */
    PyTypeObject *type;   /* the class that was met last */
    unsigned int version; /* which the interpreter changes with the class */
    Py_ssize_t offset;    /* where the field lies in its objects; 0 where it has no fixed place */
} Slot;

enum { TABLE_SIZE = 2048 };

/* All modules share it: a name that they all define is one to the linker. */
__attribute__((weak, visibility("hidden"))) Slot CPy_slots[TABLE_SIZE];

static inline bool CPy_IsSlotOf(Slot *slot, PyTypeObject *type, PyObject *name)
{
    return slot->name == name && slot->type == type && slot->version == type->tp_version_tag;
}

/* Return where the objects of a class keep a field, or 0. */
static Py_ssize_t CPy_FieldOffset(PyTypeObject *type, PyObject *name)
{
    PyObject *found = type->tp_getattro == PyObject_GenericGetAttr ? _PyType_Lookup(type, name) : NULL;
    if (found == NULL || Py_TYPE(found) != &PyMemberDescr_Type) {
        return 0;
    }
    PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
    return member->type == T_OBJECT_EX && member->flags == 0 ? member->offset : 0;
}

static void CPy_SetSlot(Slot *slot, PyTypeObject *type, PyObject *name, Py_ssize_t offset)
{
    Py_XSETREF(slot->name, Py_NewRef(name));
    slot->type = type;
    slot->version = type->tp_version_tag;
    slot->offset = offset;
}

/* Read a field by its name, and remember where it lies if it has a fixed place. */
static PyObject *CPy_FindSlot(PyObject *object, PyObject *name, Slot *slot)
{
    PyTypeObject *type = Py_TYPE(object);
    Slot *known = &CPy_slots[((uintptr_t)type >> 4 ^ (uintptr_t)name >> 5) % TABLE_SIZE];
    if (!CPy_IsSlotOf(known, type, name)) {
        Py_ssize_t offset = CPy_FieldOffset(type, name); /* which gives the class a version if it has none */
        if (type->tp_version_tag == 0) {
            return PyObject_GetAttr(object, name);
        }
        CPy_SetSlot(known, type, name, offset);
    }
    if (known->offset == 0) {
        return PyObject_GetAttr(object, name);
    }
    CPy_SetSlot(slot, type, name, known->offset);
    PyObject *value = *(PyObject **)((char *)object + slot->offset);
    return value != NULL ? Py_NewRef(value) : PyObject_GetAttr(object, name);
}

static inline PyObject *CPy_ReadSlot(PyObject *object, PyObject *name, Slot *slot)
{
    if (CPy_IsSlotOf(slot, Py_TYPE(object), name)) {
        PyObject *value = *(PyObject **)((char *)object + slot->offset);
        if (value != NULL) {
            return Py_NewRef(value);
        }
    }
    return CPy_FindSlot(object, name, slot);
}

#undef CPyObject_GetAttr
#define CPyObject_GetAttr(object, name) ({ static Slot slot; CPy_ReadSlot((object), (name), &slot); })

#endif
