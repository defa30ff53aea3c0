/* Fields of objects that are not compiled (events, printed cards), read where they lie in memory.

   mypyc looks such a field up by its name each time that it is read. The interpreter does so once in a place of the
   program: as long as the objects there are of the same class, it knows where the field lies. This does the same. */

#if defined(__GNUC__) && __has_include(<CPy.h>) /* the module that only loads the others is compiled without it */

#include <CPy.h>
#include <structmember.h>

typedef struct {
    PyObject *name;       /* which field: `getattr` takes any in one place */
    PyTypeObject *type;   /* the class that was met last */
    unsigned int version; /* which the interpreter changes with the class */
    Py_ssize_t offset;    /* where the field lies in its objects */
    int misses;           /* how often it was another field or class, or no field of a fixed place */
} Slot;

enum { MOST_MISSES = 16 };

/* Read a field by its name, and remember where it lies if it has a fixed place. */
static PyObject *CPy_FindSlot(PyObject *object, PyObject *name, Slot *slot)
{
    if (slot->misses < MOST_MISSES) {
        PyTypeObject *type = Py_TYPE(object);
        PyObject *found = type->tp_getattro == PyObject_GenericGetAttr ? _PyType_Lookup(type, name) : NULL;
        slot->misses++;
        if (found != NULL && Py_TYPE(found) == &PyMemberDescr_Type && type->tp_version_tag != 0) {
            PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
            if (member->type == T_OBJECT_EX && member->flags == 0) {
                Py_XSETREF(slot->name, Py_NewRef(name));
                slot->type = type;
                slot->version = type->tp_version_tag;
                slot->offset = member->offset;
            }
        }
    }
    return PyObject_GetAttr(object, name);
}

static inline PyObject *CPy_ReadSlot(PyObject *object, PyObject *name, Slot *slot)
{
    if (name == slot->name && Py_TYPE(object) == slot->type && slot->type->tp_version_tag == slot->version) {
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
